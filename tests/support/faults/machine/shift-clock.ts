/**
 * Preloaded (`--import`): shifts the wall clock by the milliseconds in the file CLOCK_FILE and rereads them on SIGUSR2;
 * CLOCK_FILE.seen holds the last value. Timers and `performance.now()` are unaffected, as when a machine's clock is
 * set.
 */
import { readFileSync, writeFileSync } from "node:fs";

const file = process.env["CLOCK_FILE"]!;
const TrueDate = globalThis.Date;
let offByMs = 0;

function readClockFile(): void {
  const text = readFileSync(file, "utf8");
  offByMs = Number(text);
  writeFileSync(`${file}.seen`, text);
}

globalThis.Date = new Proxy(TrueDate, {
  construct(target, args: unknown[], newTarget) {
    const own = args.length === 0 ? [target.now() + offByMs] : args;
    return Reflect.construct(target, own, newTarget === globalThis.Date ? target : newTarget) as Date;
  },
  apply: () => new globalThis.Date().toString(),
  get: (target, name, receiver) =>
    name === "now" ? () => target.now() + offByMs : (Reflect.get(target, name, receiver) as unknown),
});
process.on("SIGUSR2", readClockFile);
readClockFile();
