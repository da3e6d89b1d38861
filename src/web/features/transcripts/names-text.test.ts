import { expect, test } from "vitest";
import { transcriptNamesSchema } from "#contract/transcripts/names.ts";
import { parseNames, writeNames } from "./names-text.ts";

test("a name per line, with what is heard instead", () => {
  const text = "Clipmill\nclip mill = Clipmill\n  marry anne=Mary-Ann ";
  const names = [{ to: "Clipmill" }, { from: "clip mill", to: "Clipmill" }, { from: "marry anne", to: "Mary-Ann" }];
  expect(parseNames(`\n${text}\n \n`)).toEqual(names);
  expect(parseNames(writeNames(names))).toEqual(names);
  expect(transcriptNamesSchema.safeParse(parseNames("clip mill =")).success).toBe(false);
});
