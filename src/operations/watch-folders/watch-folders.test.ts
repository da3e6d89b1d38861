import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, rename, rm, symlink, unlink, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { forEachAtOnce } from "#ground/slots.ts";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import {
  addTestFolder,
  allFiles,
  checkDue,
  openWatchContext,
  passTime,
  settleFiles,
  statesOf,
} from "#tests/support/watch-folder.ts";
import {
  changeWatchFolder,
  checkWatchFolderNow,
  pauseWatchFolder,
  removeWatchFolder,
  resumeWatchFolder,
} from "./change-watch-folder.ts";
import { deleteLibraryFiles } from "../library/change-library-file.ts";
import { forgetWatchFiles } from "../retention/delete-old-rows.ts";
import { checkFolder } from "./check/check-folder.ts";
import { reviveChecks } from "./check/schedule-checks.ts";
import { listWatchFolders } from "./list-watch-folders.ts";
import { runFileAgain } from "./run-file-again.ts";
import type { WatchContext } from "./watch-context.ts";

const scratch = await makeScratchFolder();
let number = 0;
let stack: AsyncDisposableStack;
let context: WatchContext;
let incoming: string;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  const folder = path.join(scratch, String((number += 1)));
  await mkdir(folder);
  const named = new Map([["named", path.join(folder, "elsewhere")]]);
  context = await openWatchContext(stack, folder, { named });
  incoming = path.join(folder, "watch/incoming");
});
afterEach(() => stack.disposeAsync());

const drop = (name: string, content = `video ${name}`) => writeFile(path.join(incoming, name), content);

async function jobs() {
  return await context.db
    .selectFrom("jobs")
    .select(["id", "job_name", "total_videos", "input_videos", "created_by"])
    .orderBy("created_at")
    .orderBy("job_name")
    .execute();
}

async function folderNow(id: string) {
  return (await listWatchFolders(context, id))[0]!;
}

it("makes one job of the files that come together, with the preset's settings", async () => {
  const { id } = await addTestFolder(context, { job_name: "{folder}: {file} of {count}" });
  await drop("b.mp4");
  await drop("a.mov");
  await checkDue(context);
  expect(await statesOf(context, id)).toEqual({ "a.mov": "seen", "b.mp4": "seen" });
  await settleFiles(context);
  expect(await statesOf(context, id)).toEqual({ "a.mov": "taken", "b.mp4": "taken" });
  expect(await jobs()).toMatchObject([{ job_name: "Drop: a of 2", total_videos: 2 }]);
  await settleFiles(context);
  expect(await jobs()).toHaveLength(1);
  const [file] = await allFiles(context, id);
  expect(file!.job).toMatchObject({ name: "Drop: a of 2", status: "Queued" });
});

it("waits for a file that grows, and a batch waits for it", async () => {
  const { id } = await addTestFolder(context);
  await drop("done.mp4");
  for (const content of ["video", "video and", "video and more"]) {
    await drop("slow.mp4", content);
    await passTime(context);
    await checkDue(context);
    expect(await jobs()).toEqual([]);
  }
  await settleFiles(context);
  expect(await jobs()).toMatchObject([{ total_videos: 2 }]);
  expect((await folderNow(id)).files).toEqual({ seen: 0, taken: 2, skipped: 0, failed: 0 });
});

it("does not let a file that grows for ever hold up the others", async () => {
  await addTestFolder(context, { settle_seconds: 5 });
  await drop("done.mp4");
  await settleFiles(context);
  await drop("endless.mp4");
  await drop("other.mp4");
  await passTime(context);
  await checkDue(context);
  await sql`update watch_files set same_since = now() where name = 'endless.mp4'`.execute(context.db);
  await sql`update watch_files set same_since = now() - interval '20 minutes' where name = 'other.mp4'`.execute(
    context.db,
  );
  await sql`update watch_folders set next_check_at = now()`.execute(context.db);
  await checkDue(context);
  expect(await jobs()).toMatchObject([{ total_videos: 1 }, { total_videos: 1 }]);
});

it("takes a file that is replaced by another of the same name, but not a copy of the same content", async () => {
  const { id } = await addTestFolder(context, { grouping: "file" });
  await drop("a.mp4");
  await settleFiles(context);
  await drop("a.mp4", "video with other content");
  await settleFiles(context);
  expect(await jobs()).toHaveLength(2);
  await utimes(path.join(incoming, "a.mp4"), new Date(), new Date(2026, 1, 1));
  await settleFiles(context);
  expect(await jobs()).toHaveLength(2);
  const states = (await allFiles(context, id)).map(({ state, reason }) => reason ?? state);
  expect(states.toSorted((a, b) => a.localeCompare(b, "en"))).toEqual([
    "taken",
    "taken",
    "The content is the same as before.",
  ]);
});

it("says why files are left out", async () => {
  const { id } = await addTestFolder(context);
  await drop(".hidden.mp4");
  await drop("a.mp4.part");
  await drop("~$a.mp4");
  await drop("notes.txt");
  await drop("empty.mp4", "");
  await drop("page.mp4", "<html>");
  await mkdir(path.join(incoming, "folder.mp4"));
  await symlink("/etc/hostname", path.join(incoming, "link.mp4"));
  await promisify(execFile)("mkfifo", [path.join(incoming, "pipe.mp4")]);
  using stack = new DisposableStack();
  const socket = createServer().listen(path.join(incoming, "socket.mp4"));
  stack.defer(() => socket.close());
  await once(socket, "listening");
  await settleFiles(context);
  expect(await statesOf(context, id)).toEqual({
    ".hidden.mp4": "skipped: Hidden file.",
    "a.mp4.part": "skipped: Temporary file of a program that is still writing.",
    "~$a.mp4": "skipped: Temporary file of a program that is still writing.",
    "notes.txt": "skipped: Not a video.",
    "empty.mp4": "skipped: The file is empty.",
    "page.mp4": "skipped: This file is not a video.",
    "link.mp4": "skipped: Symbolic links are not followed.",
    "pipe.mp4": "skipped: This is a named pipe (FIFO), not a file.",
    "socket.mp4": "skipped: This is a socket, not a file.",
  });
  await rename(path.join(incoming, "a.mp4.part"), path.join(incoming, "a.mp4"));
  await settleFiles(context);
  expect(await statesOf(context, id)).toMatchObject({ "a.mp4": "taken" });
  expect(await statesOf(context, id)).not.toHaveProperty("a.mp4.part");
});

function fileOfBytes(bytes: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from(`${incoming}/caf`), Buffer.from(bytes), Buffer.from(".mp4")]);
}

it("takes files whose names are not UTF-8, and tells them apart", async () => {
  const { id } = await addTestFolder(context);
  await writeFile(fileOfBytes([0xe9]), "video one");
  await writeFile(fileOfBytes([0xe8]), "video two");
  await writeFile(fileOfBytes([0xef, 0xbf, 0xbd]), "video three");
  await settleFiles(context);
  const files = await allFiles(context, id);
  expect(files.map(({ name, state }) => `${name} ${state}`)).toEqual(Array(3).fill("caf\uFFFD.mp4 taken"));
  const library = await context.db.selectFrom("library_files").select(["name", "size_bytes"]).execute();
  expect(library.map(({ size_bytes: bytes }) => bytes).toSorted((a, b) => a - b)).toEqual([9, 9, 11]);
  await rm(fileOfBytes([0xe9]));
  await settleFiles(context);
  expect((await allFiles(context, id)).map(({ is_missing: isMissing }) => isMissing).filter(Boolean)).toHaveLength(1);
  expect(await jobs()).toMatchObject([{ total_videos: 3 }]);
});

it("leaves out files that were there before, and runs one if asked", async () => {
  await mkdir(incoming, { recursive: true });
  await drop("old.mp4");
  const { id } = await addTestFolder(context, { existing: "skip" });
  await checkDue(context);
  await drop("new.mp4");
  await settleFiles(context);
  expect(await statesOf(context, id)).toEqual({
    "old.mp4": "skipped: The file was there before the watch folder was added.",
    "new.mp4": "taken",
  });
  const old = (await allFiles(context, id)).find(({ name }) => name === "old.mp4");
  await runFileAgain(context, { file_id: old!.id });
  await expect(runFileAgain(context, { file_id: old!.id })).rejects.toThrow("already waiting");
  await settleFiles(context);
  expect(await jobs()).toHaveLength(2);
  const taken = (await allFiles(context, id)).find(({ name }) => name === "new.mp4")!;
  await unlink(path.join(incoming, "new.mp4"));
  await settleFiles(context);
  // The library still has it.
  await runFileAgain(context, { file_id: taken.id });
  await settleFiles(context);
  expect(await jobs()).toHaveLength(3);
});

it("copies a file again if its copy was deleted from the library, unless it left the folder", async () => {
  const { id } = await addTestFolder(context);
  await drop("a.mp4");
  await settleFiles(context);
  await sql`update jobs set status = 'Completed'`.execute(context.db);
  const deleteCopies = async (): Promise<void> => {
    const copies = await context.db.selectFrom("library_files").select("id").execute();
    expect(
      await deleteLibraryFiles(
        context,
        copies.map((copy) => copy.id),
      ),
    ).toEqual([]);
  };
  const [file] = await allFiles(context, id);
  await deleteCopies();
  await runFileAgain(context, { file_id: file!.id });
  await settleFiles(context);
  const copy = await context.db.selectFrom("library_files").select("id").executeTakeFirstOrThrow();
  expect((await jobs()).map((job) => job.input_videos)).toEqual([[expect.any(String)], [libraryLink(copy.id)]]);

  // Deleted while the file waits.
  await sql`update jobs set status = 'Completed'`.execute(context.db);
  await runFileAgain(context, { file_id: file!.id });
  await deleteCopies();
  await settleFiles(context);
  const { id: third } = await context.db.selectFrom("library_files").select("id").executeTakeFirstOrThrow();
  expect((await jobs()).map((job) => job.input_videos[0])).toContain(libraryLink(third));

  await sql`update jobs set status = 'Completed'`.execute(context.db);
  await deleteCopies();
  await unlink(path.join(incoming, "a.mp4"));
  await settleFiles(context);
  await expect(runFileAgain(context, { file_id: file!.id })).rejects.toThrow("no longer in the folder");
});

it("keeps files that come, go and come back apart from those that it has used", async () => {
  const { id } = await addTestFolder(context);
  await drop("a.mp4");
  await checkDue(context);
  const away = path.join(incoming, "../away.mp4");
  await rename(path.join(incoming, "a.mp4"), away);
  await settleFiles(context);
  expect(await statesOf(context, id)).toEqual({
    "a.mp4": "skipped: The file was removed or renamed before it was complete.",
  });
  await rename(away, path.join(incoming, "a.mp4"));
  await settleFiles(context);
  expect(await statesOf(context, id)).toEqual({ "a.mp4": "taken" });
  await rename(path.join(incoming, "a.mp4"), away);
  await settleFiles(context);
  expect((await allFiles(context, id))[0]).toMatchObject({ state: "taken", is_missing: true });
  await rename(away, path.join(incoming, "a.mp4"));
  await settleFiles(context);
  expect(await jobs()).toHaveLength(1);
  expect((await allFiles(context, id))[0]!.is_missing).toBe(false);
});

it("retries files that it may not read, then gives up", async () => {
  const { id } = await addTestFolder(context);
  await drop("a.mp4");
  // Root may read everything.
  const isRoot = process.getuid?.() === 0;
  await chmod(path.join(incoming, "a.mp4"), 0o000);
  await settleFiles(context);
  if (isRoot) return;
  expect(await statesOf(context, id)).toEqual({
    "a.mp4": "seen: Clipmill does not have permission to read this file.",
  });
  for (let attempt = 0; attempt < 5; attempt += 1) await settleFiles(context);
  expect(await statesOf(context, id)).toEqual({
    "a.mp4": "failed: Clipmill does not have permission to read this file.",
  });
});

it("pauses itself if its preset is deleted or cannot start a job, and goes on with another", async () => {
  const folder = await addTestFolder(context);
  const { id } = folder;
  await drop("a.mp4");
  await context.db.deleteFrom("presets").execute();
  await settleFiles(context);
  const paused = await folderNow(id);
  expect(paused).toMatchObject({
    preset_id: null,
    pause_reason: "Its preset was deleted. Choose another one.",
    files: { seen: 1 },
  });
  await expect(checkWatchFolderNow(context, { id })).rejects.toThrow("paused");
  const bad = await addTestFolder(context, { name: "Bad", place: "named" }).catch((error: unknown) => error);
  expect(bad).not.toBeInstanceOf(Error);
  const { preset_id } = bad as typeof folder;
  await sql`update presets set settings = '{"caption_set_id": "00000000-0000-4000-8000-000000000000", "captions_enabled": true}'`.execute(
    context.db,
  );
  const { job_name, version } = paused;
  await changeWatchFolder(context, { id, name: "Drop", preset_id, job_name, version });
  await settleFiles(context);
  expect((await folderNow(id)).pause_reason).toMatch(/^The preset cannot start a job: .*then resume\.$/);
  await sql`update presets set settings = '{}'`.execute(context.db);
  await resumeWatchFolder(context, { id });
  await settleFiles(context);
  expect(await statesOf(context, id)).toEqual({ "a.mp4": "taken" });
});

it("starts nothing while it is paused", async () => {
  const { id } = await addTestFolder(context);
  await pauseWatchFolder(context, { id });
  await drop("a.mp4");
  await settleFiles(context);
  expect(await statesOf(context, id)).toEqual({});
  await resumeWatchFolder(context, { id });
  await settleFiles(context);
  expect(await statesOf(context, id)).toEqual({ "a.mp4": "taken" });
  const [file] = await allFiles(context, id);
  await pauseWatchFolder(context, { id });
  await expect(runFileAgain(context, { file_id: file!.id })).rejects.toThrow("paused");
});

it("rejects names, versions and places in use or out of bounds", async () => {
  const { id, preset_id, job_name } = await addTestFolder(context);
  const fields = { name: "Second", kind: "local", place: "incoming", preset_id };
  for (const place of ["../up", "/etc", ".hidden", "a/b", "a\\b", "", " ", "a.", "\0"]) {
    await expect(addTestFolder(context, { ...fields, place })).rejects.toMatchObject({ code: "invalid" });
  }
  await mkdir(path.join(incoming, "../real"));
  await symlink("/etc", path.join(incoming, "../linked"));
  await expect(addTestFolder(context, { ...fields, place: "linked" })).rejects.toThrow("is a symbolic link");
  for (const place of ["https://drive.google.com/drive/folders/abc", "s3://clips/a/"]) {
    await expect(addTestFolder(context, { ...fields, kind: "s3", place })).rejects.toMatchObject({ code: "invalid" });
  }
  await expect(addTestFolder(context, { ...fields, name: "DROP" })).rejects.toMatchObject({ code: "conflict" });
  await expect(addTestFolder(context, { ...fields, job_name: "{day}" })).rejects.toThrow("{day} is unknown");
  const change = { id, name: "Drop", preset_id, job_name };
  await changeWatchFolder(context, { ...change, version: 1 });
  await expect(changeWatchFolder(context, { ...change, version: 1 })).rejects.toMatchObject({ code: "conflict" });
  await removeWatchFolder(context, { id });
  await removeWatchFolder(context, { id });
  await expect(changeWatchFolder(context, { ...change, version: 2 })).rejects.toMatchObject({ code: "not_found" });
});

it("names what is wrong with a folder, and goes on when it is back", async () => {
  const { id } = await addTestFolder(context);
  await rm(incoming, { recursive: true });
  // Another server's folder: this one does not claim it.
  await settleFiles(context);
  await sql`update watch_folders set next_check_at = now() - interval '1 hour'`.execute(context.db);
  expect((await folderNow(id)).last_fault).toBe(
    "No running server has this folder. Create it on a server, or remove this watch folder.",
  );
  await symlink("/etc", incoming);
  await settleFiles(context);
  expect(await statesOf(context, id)).toEqual({});
  await unlink(incoming);
  await mkdir(incoming);
  await drop("a.mp4");
  await settleFiles(context);
  expect(await statesOf(context, id)).toEqual({ "a.mp4": "taken" });
  expect(await folderNow(id)).toMatchObject({ last_fault: null });
});

it("reads a folder that the environment names", async () => {
  const { id } = await addTestFolder(context, { place: "named" });
  await settleFiles(context);
  expect((await folderNow(id)).last_fault).toBe('The folder "named" is not on this server. Create it again.');
  const elsewhere = context.localRoots.named.get("named")!;
  await mkdir(elsewhere);
  await writeFile(path.join(elsewhere, "a.mp4"), "video");
  await settleFiles(context);
  expect(await statesOf(context, id)).toEqual({ "a.mp4": "taken" });
});

it("reads 10,000 files, and a check without changes writes nothing", async () => {
  const { id } = await addTestFolder(context, { existing: "skip" });
  await forEachAtOnce(Array.from({ length: 10_000 }).keys(), 16, (at) => drop(`${at}.mp4`, ""));
  await checkDue(context);
  expect((await folderNow(id)).files).toEqual({ seen: 0, taken: 0, skipped: 10_000, failed: 0 });
  const newest = sql<{ xmin: string }>`select max(xmin::text::bigint)::text as xmin from watch_files`;
  const before = (await newest.execute(context.db)).rows;
  await sql`update watch_folders set next_check_at = now()`.execute(context.db);
  await checkDue(context);
  expect((await newest.execute(context.db)).rows).toEqual(before);
});

/** Returns the number of queries of a check, and the paths that they read. */
async function watchCheck(): Promise<{ queries: number; paths: unknown[] }> {
  let queries = 0;
  const paths: unknown[] = [];
  const db = context.db.withPlugin({
    transformQuery({ node }) {
      queries += 1;
      return node;
    },
    transformResult({ result }) {
      paths.push(...result.rows.flatMap(({ path: read }) => read ?? []));
      return Promise.resolve(result);
    },
  });
  await passTime(context);
  await checkDue({ ...context, db });
  return { queries, paths };
}

it("does not read files that left the folder, unless they are back", async () => {
  const { id } = await addTestFolder(context);
  const [gone, kept] = [path.join(incoming, "gone.mp4"), path.join(scratch, "kept.mp4")];
  await drop("gone.mp4");
  await drop("here.mp4");
  await settleFiles(context);
  await rename(gone, kept);
  await settleFiles(context);
  expect((await watchCheck()).paths).toEqual(["here.mp4"]);
  await rename(kept, gone);
  expect(new Set((await watchCheck()).paths)).toEqual(new Set(["gone.mp4", "here.mp4"]));
  expect((await allFiles(context, id)).map(({ state, is_missing: isMissing }) => [state, isMissing])).toEqual([
    ["taken", false],
    ["taken", false],
  ]);
});

it("records files that grow with as many queries as one", async () => {
  const { id } = await addTestFolder(context);
  await drop("a.mp4");
  await drop("b.mp4");
  await checkDue(context);
  await drop("a.mp4", "video and more");
  const { queries } = await watchCheck();
  await drop("a.mp4", "video and even more");
  await drop("b.mp4", "video and even more");
  expect((await watchCheck()).queries).toBe(queries);
  expect((await allFiles(context, id)).map(({ name, size_bytes: bytes }) => `${name} ${bytes}`).toSorted()).toEqual([
    "a.mp4 19",
    "b.mp4 19",
  ]);
});

it("checks a folder again after a shutdown has cut off its check", async () => {
  const { id } = await addTestFolder(context);
  await drop("a.mp4");
  await passTime(context);
  await checkDue(context);
  await passTime(context);
  // Rejects, so that the queue takes the task back.
  const signal = AbortSignal.abort(new Error("the server stops"));
  const task = { folderId: id, labels: [], attempt: 1, isRetried: true, signal };
  await expect(checkFolder(context, task)).rejects.toThrow("the server stops");
  expect(await statesOf(context, id)).toEqual({ "a.mp4": "seen" });
  await checkDue(context);
  expect(await statesOf(context, id)).toEqual({ "a.mp4": "taken" });
});

it("waits neither for a clock that was set back, nor keeps files that are gone for ever", async () => {
  const { id } = await addTestFolder(context);
  await drop("a.mp4");
  await checkDue(context);
  await sql`update watch_folders set next_check_at = now() + interval '1 day'`.execute(context.db);
  await sql`update watch_files set same_since = now() + interval '1 day'`.execute(context.db);
  await reviveChecks(context);
  await checkDue(context);
  await settleFiles(context);
  expect(await statesOf(context, id)).toEqual({ "a.mp4": "taken" });
  await unlink(path.join(incoming, "a.mp4"));
  await settleFiles(context);
  await forgetWatchFiles(context, new Date());
  expect(await statesOf(context, id)).toEqual({ "a.mp4": "taken" });
  await forgetWatchFiles(context, new Date(Date.now() + 200 * 86_400_000));
  expect(await statesOf(context, id)).toEqual({});
  expect(await jobs()).toHaveLength(1);
});
