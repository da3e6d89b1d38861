import { pino } from "pino";
import { expect, it } from "vitest";
import { createRefusalNotes } from "./note-refusals.ts";

it("writes refusals down once a minute for each reason, with how many were left out", () => {
  const lines: object[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line) as object) });
  let nowMs = 0;
  const note = createRefusalNotes(log, () => nowMs);
  for (let i = 0; i < 100; i += 1) note("unauthorized");
  note("conflict");
  nowMs = 60_000;
  note("unauthorized");
  const msg = "a request of the back office was refused";
  expect(lines).toEqual([
    { level: 40, code: "unauthorized", others: 0, msg },
    { level: 40, code: "conflict", others: 0, msg },
    { level: 40, code: "unauthorized", others: 99, msg },
  ]);
});
