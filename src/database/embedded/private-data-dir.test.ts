import { chmod, chown, mkdir, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { makeDataDirPrivate } from "./private-data-dir.ts";

const scratch = await makeScratchFolder();
const ANOTHER_USER = 65_534;

async function modeOf(file: string): Promise<number> {
  return (await stat(file)).mode & 0o777;
}

async function writeOpenTree(dataDir: string): Promise<{ folder: string; file: string }> {
  const folder = path.join(dataDir, "database", "base");
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, "1259");
  await writeFile(file, "");
  for (const open of [path.dirname(folder), folder]) await chmod(open, 0o755);
  await chmod(file, 0o666);
  return { folder, file };
}

it("creates a data directory that only its owner can open", async () => {
  const dataDir = path.join(scratch, "new/data");
  makeDataDirPrivate(dataDir);
  expect(await modeOf(dataDir)).toBe(0o700);
});

it("tightens files left open by older versions and does not follow links", async () => {
  const dataDir = path.join(scratch, "older");
  const { folder, file } = await writeOpenTree(dataDir);
  await chmod(dataDir, 0o755);
  const elsewhere = path.join(scratch, "elsewhere");
  await writeFile(elsewhere, "");
  await chmod(elsewhere, 0o644);
  await symlink(elsewhere, path.join(dataDir, "link"));
  await symlink(path.join(scratch, "nowhere"), path.join(dataDir, "broken"));
  makeDataDirPrivate(dataDir);
  expect(await Promise.all([dataDir, folder, file, elsewhere].map(modeOf))).toEqual([0o700, 0o700, 0o600, 0o644]);
});

it("tightens the content of a folder that was already closed", async () => {
  const dataDir = path.join(scratch, "closed");
  const { file } = await writeOpenTree(dataDir);
  await chmod(dataDir, 0o700);
  makeDataDirPrivate(dataDir);
  expect(await modeOf(file)).toBe(0o600);
});

it.skipIf(process.getuid?.() !== 0)("rejects a folder of another user and names both solutions", async () => {
  const dataDir = path.join(scratch, "foreign");
  await mkdir(dataDir);
  await chown(dataDir, ANOTHER_USER, ANOTHER_USER);
  expect(() => makeDataDirPrivate(dataDir)).toThrow(
    `The folder ${dataDir} belongs to another user (uid 65534); run Clipmill as that user, or set DATA_DIR to another folder.`,
  );
});
