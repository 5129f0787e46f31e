/**
 * One process of the simulation: a session that keeps some heavy commands in flight until as many as it was
 * told have ended. Usage: worker.mjs ENTRY DIR COUNT IN_FLIGHT.
 */
const [entry, dir, count, inFlight] = process.argv.slice(2);
const { connect } = await import(entry);
const session = await connect({ dir, embedded: true });
let left = Number(count);

async function lane() {
  while (left > 0) {
    left -= 1;
    const result = await session.bash("make", { promoteAfterMs: null });
    process.stdout.write(`${result.id} ${result.cause} ${result.exitCode}\n`);
  }
}

await Promise.all(Array.from({ length: Number(inFlight) }, lane));
await session.end();
