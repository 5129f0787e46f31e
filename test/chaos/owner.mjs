// A program that owns a session: opens it, starts the commands it is given, says so, and stays.
import { readFileSync, writeSync } from "node:fs";

const { entry, dir, plans } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { connect } = await import(entry);
const say = (value) => writeSync(1, `${JSON.stringify(value)}\n`);
const session = await connect({ dir });
setInterval(() => {}, 1000);
const started = [];
for (const { commands, interactive } of plans)
  started.push((await session.bash(commands, { background: true, interactive })).id);
say({ event: "started", ids: started });
