import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { splitLines } from "./read-lines.ts";

async function linesOf(chunks: Iterable<string>): Promise<string[]> {
  const lines: string[] = [];
  await splitLines(Readable.from(chunks, { objectMode: false }), (line) => lines.push(line));
  return lines;
}

test("lines do not depend on chunk boundaries, and only line feeds end them", async () => {
  expect(await linesOf(["one\ntw", "o\r\u2028\n", "\nfour"])).toEqual(["one", "two\r\u2028", "", "four"]);
});

test("an endless line is cut, and the next one is read", async () => {
  const endless = Array.from({ length: 500 }, () => "x".repeat(1_000));
  const lines = await linesOf([...endless, "\nnext\n"]);
  expect(lines.map((line) => line.length)).toEqual([65_536, 4]);
  expect(lines[1]).toBe("next");
});
