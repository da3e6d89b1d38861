import { chmod, mkdir, mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { makeFolderSynced, renameSynced, replaceFile, syncFolder, syncTree } from "./sync-files.ts";

const scratch = await makeScratchFolder();

test("replaces a file atomically, readable by its owner only", async () => {
  const folder = await mkdtemp(path.join(scratch, "case-"));
  const file = path.join(folder, "file");
  await writeFile(file, "an old and longer content");
  await chmod(file, 0o644);
  await replaceFile(file, "new");
  expect(await readFile(file, "utf8")).toBe("new");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["file"]);
});

test("leaves only the old file when the new one cannot be renamed", async () => {
  const folder = await mkdtemp(path.join(scratch, "case-"));
  const inTheWay = path.join(folder, "file");
  await mkdir(path.join(inTheWay, "inside"), { recursive: true });
  await expect(replaceFile(inTheWay, "new")).rejects.toMatchObject({
    code: expect.stringMatching(/EISDIR|ENOTEMPTY|EEXIST|EPERM/),
  });
  expect(await readdir(folder)).toEqual(["file"]);
});

test("creates, syncs and renames folders", async () => {
  const folder = await mkdtemp(path.join(scratch, "case-"));
  await makeFolderSynced(path.join(folder, "a/b/c"));
  await writeFile(path.join(folder, "a/b/file"), "content");
  await syncTree(path.join(folder, "a"));
  await renameSynced(path.join(folder, "a"), path.join(folder, "z"));
  expect(await readFile(path.join(folder, "z/b/file"), "utf8")).toBe("content");
});

test("syncs a folder on Windows without opening it", async () => {
  const folder = await mkdtemp(path.join(scratch, "case-"));
  const platform = Object.getOwnPropertyDescriptor(process, "platform")!;
  Object.defineProperty(process, "platform", { ...platform, value: "win32" });
  try {
    // Windows does not open folders; a missing folder makes any attempt fail here, too.
    await renameSynced(await fileIn(folder), path.join(folder, "renamed"));
    await expect(syncFolder(path.join(folder, "missing"))).resolves.toBeUndefined();
  } finally {
    Object.defineProperty(process, "platform", platform);
  }
});

async function fileIn(folder: string): Promise<string> {
  const file = path.join(folder, "file");
  await writeFile(file, "content");
  return file;
}
