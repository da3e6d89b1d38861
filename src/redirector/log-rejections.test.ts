import { pino } from "pino";
import { expect, it } from "vitest";
import { createRejectionLogger } from "./redirect-visitor.ts";

it("logs rejections once a minute per error code, with the number suppressed", () => {
  const lines: object[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line) as object) });
  let nowMs = 0;
  const note = createRejectionLogger(log, () => nowMs);
  for (let i = 0; i < 100; i += 1) note("unauthorized");
  note("conflict");
  nowMs = 60_000;
  note("unauthorized");
  const msg = "an internal request was rejected";
  expect(lines).toEqual([
    { level: 40, code: "unauthorized", others: 0, msg },
    { level: 40, code: "conflict", others: 0, msg },
    { level: 40, code: "unauthorized", others: 99, msg },
  ]);
});
