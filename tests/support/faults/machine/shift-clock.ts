/**
 * Preloaded into a program under test (`--import`): its wall clock is off by what the file CLOCK_FILE says, in milliseconds.
 * SIGUSR2 makes it look again; what it saw last is in CLOCK_FILE.seen. Timers and `performance.now()` go on as they are, as they do when somebody sets a machine's clock.
 */
import { readFileSync, writeFileSync } from "node:fs";

const file = process.env["CLOCK_FILE"]!;
const TrueDate = globalThis.Date;
let offByMs = 0;

function lookAgain(): void {
  const said = readFileSync(file, "utf8");
  offByMs = Number(said);
  writeFileSync(`${file}.seen`, said);
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
process.on("SIGUSR2", lookAgain);
lookAgain();
