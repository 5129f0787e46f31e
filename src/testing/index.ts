/** For tests of programs that embed proctor: time and processes in the test's hands. */
export { FakeClock } from "./fake-clock.ts";
export { FakeProcessTable } from "./fake-process-table.ts";
export type { DiesOf, Invention } from "./fake-process-table.ts";
