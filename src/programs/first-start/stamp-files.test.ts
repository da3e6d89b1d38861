import { readFile, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { isUnchanged, stampFiles, writeStamp } from "./stamp-files.ts";

const root = await makeScratchFolder();
const stampFile = path.join(root, "stamp");
const FILES = ["a.ts", "b.ts"];
const [EARLIER, LATER] = [new Date("2026-11-01T00:00:00Z"), new Date("2026-11-02T00:00:00Z")];

async function write(file: string, content: string, time: Date): Promise<void> {
  await writeFile(path.join(root, file), content);
  await utimes(path.join(root, file), time, time);
}

beforeEach(async () => {
  for (const file of FILES) await write(file, "before", EARLIER);
  await writeStamp(stampFile, await stampFiles(root, FILES));
});

test("reads no contents while sizes and times are the same", async () => {
  await write("a.ts", "beyond", EARLIER);
  expect(await isUnchanged(stampFile, root, FILES)).toBe(true);
});

test("reads contents once after a time has changed", async () => {
  await write("a.ts", "before", LATER);
  expect(await isUnchanged(stampFile, root, FILES)).toBe(true);
  await write("a.ts", "beyond", LATER);
  expect(await isUnchanged(stampFile, root, FILES)).toBe(true);
});

test("notices changed contents, an added file and an absent or partial stamp", async () => {
  await write("a.ts", "beyond", LATER);
  expect(await isUnchanged(stampFile, root, FILES)).toBe(false);
  await write("a.ts", "before", EARLIER);
  expect(await isUnchanged(stampFile, root, FILES)).toBe(true);
  expect(await isUnchanged(stampFile, root, [...FILES, "stamp"])).toBe(false);
  expect(await isUnchanged(path.join(root, "absent"), root, FILES)).toBe(false);
  await writeFile(stampFile, (await readFile(stampFile, "utf8")).slice(0, -5));
  expect(await isUnchanged(stampFile, root, FILES)).toBe(false);
});
