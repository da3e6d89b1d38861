/** Watch folders that read through a connection, with twins of Google Drive and Dropbox, and a real SFTP server. */
import { mkdir, rename, unlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { type DriveAccountTwin, startDriveAccountTwin } from "#tests/support/twins/stores/drive-account-twin.ts";
import { type DropboxApiTwin, startDropboxApiTwin } from "#tests/support/twins/stores/dropbox-api-twin.ts";
import { type SftpServer, startSftpServer } from "#tests/support/twins/stores/sftp-server.ts";
import {
  addTestFolder,
  allFiles,
  checkDue,
  openWatchContext,
  passTime,
  settleFiles,
  statesOf,
} from "#tests/support/watch-folder.ts";
import { addConnection, removeConnection } from "../connections/change-connection.ts";
import { listConnections } from "../connections/list-connections.ts";
import { changeWatchFolder, removeWatchFolder } from "./change-watch-folder.ts";
import { listWatchFolders } from "./list-watch-folders.ts";
import { runFileAgain } from "./run-file-again.ts";
import type { WatchContext } from "./watch-context.ts";

const folder = await makeScratchFolder();
const home = await makeScratchFolder();
const stack = new AsyncDisposableStack();
let context: WatchContext;
let drive: DriveAccountTwin;
let dropbox: DropboxApiTwin;
let sftp: SftpServer;
let driveFolder: string;

/** A place of each kind, and how a file comes there, is renamed and removed. */
type Place = {
  fields: object;
  place: string;
  put(this: void, name: string, content: string): Promise<void> | void;
  putFolder(this: void, name: string): Promise<void> | void;
  /** Cuts the connection once while a file is read. */
  cut(this: void): void;
};
let places: Record<"drive" | "dropbox" | "sftp", Place>;

beforeAll(async () => {
  drive = await startDriveAccountTwin();
  dropbox = await startDropboxApiTwin();
  sftp = await startSftpServer(home);
  for (const twin of [drive, dropbox, sftp]) stack.defer(() => twin.close());
  const hosts = {
    privateSources: [`127.0.0.1:${sftp.port}`],
    baseUrls: { ...drive.environment, ...dropbox.environment },
  };
  context = await openWatchContext(stack, folder, { hosts });
  driveFolder = drive.add("Incoming", null);
  dropbox.add("/Incoming", null);
  await mkdir(path.join(home, "incoming"));
  places = {
    drive: {
      fields: drive.fields,
      place: `https://drive.google.com/drive/folders/${driveFolder}?usp=sharing`,
      put: (name, content) => drive.put(name, Buffer.from(content), driveFolder),
      putFolder: (name) => void drive.add(name, null, driveFolder),
      cut: () => void drive.faults.push({ path: "/drive/v3/files/", response: "cut" }),
    },
    dropbox: {
      fields: dropbox.fields,
      place: "/Incoming",
      put: (name, content) => dropbox.add(`/Incoming/${name}`, Buffer.from(content)),
      putFolder: (name) => dropbox.add(`/Incoming/${name}`, null),
      cut: () => void dropbox.faults.push({ path: "files/download", response: "cut" }),
    },
    sftp: {
      fields: sftp.fields,
      place: "/incoming",
      put: (name, content) => writeFile(path.join(home, "incoming", name), content),
      putFolder: (name) => void mkdir(path.join(home, "incoming", name)),
      cut: () => {
        sftp.cutsReads = 1;
      },
    },
  };
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  await context.db.deleteFrom("watch_folders").execute();
  await context.db.deleteFrom("jobs").execute();
  await context.db.deleteFrom("connections").execute();
});

const jobs = () => context.db.selectFrom("jobs").select(["id", "input_videos"]).orderBy("created_at").execute();
const folderNow = async (id: string) => (await listWatchFolders(context, id))[0]!;

describe.each(["drive", "dropbox", "sftp"] as const)("a folder at %s", (kind) => {
  it("has its new files copied to the library, each version once, also if the connection is cut", async () => {
    const { fields, place, put, putFolder, cut } = places[kind];
    const connection = await addConnection(context, { name: "Studio", ...fields });
    await put("old.mp4", "video of before");
    const added = await addTestFolder(context, { kind, place, connection_id: connection.id, existing: "skip" });
    expect(added).toMatchObject({ kind, place, connection_name: "Studio" });
    await checkDue(context);
    await put("a.mp4", "video one");
    await put("b.mp4", "video two");
    await put("notes.txt", "text");
    await put("page.mp4", "<html>");
    await putFolder("folder.mp4");
    cut();
    await settleFiles(context);
    expect(await statesOf(context, added.id)).toEqual({
      "old.mp4": "skipped: The file was there before the watch folder was added.",
      "a.mp4": "taken",
      "b.mp4": "taken",
      "notes.txt": "skipped: Not a video.",
      "page.mp4": "skipped: This file is not a video.",
    });
    const [job, ...others] = await jobs();
    expect(others).toEqual([]);
    expect(job!.input_videos).toHaveLength(2);
    const stored = await context.db
      .selectFrom("library_files")
      .select(["name", "size_bytes"])
      .orderBy("name")
      .execute();
    expect(stored).toEqual([
      { name: "a.mp4", size_bytes: 9 },
      { name: "b.mp4", size_bytes: 9 },
    ]);
    await settleFiles(context);
    expect(await jobs()).toHaveLength(1);
    await put("a.mp4", "video with more");
    await settleFiles(context);
    expect(await jobs()).toHaveLength(2);
    expect((await folderNow(added.id)).last_fault).toBeNull();
    await context.db.deleteFrom("library_files").execute();
  });

  it("pauses when its connection is removed, which is asked about, and goes on with another", async () => {
    const { fields, place, put } = places[kind];
    const first = await addConnection(context, { name: "First", ...fields });
    const { id, preset_id, job_name } = await addTestFolder(context, { kind, place, connection_id: first.id });
    expect(await listConnections(context)).toMatchObject([{ used_by: [{ id, name: "Drop", type: "watch_folder" }] }]);
    await expect(removeConnection(context, { id: first.id })).rejects.toThrow('The watch folder "Drop" needs');
    await checkDue(context);
    await removeConnection(context, { id: first.id, force: true });
    await passTime(context);
    await checkDue(context);
    expect(await folderNow(id)).toMatchObject({
      connection_id: null,
      connection_name: null,
      pause_reason: "Its connection was removed. Choose another one.",
    });
    const second = await addConnection(context, { name: "Second", ...fields });
    const change = { id, name: "Drop", preset_id, job_name, version: 1 };
    const other = kind === "sftp" ? "dropbox" : "sftp";
    const wrong = await addConnection(context, { name: "Wrong", ...places[other].fields });
    await expect(changeWatchFolder(context, { ...change, connection_id: wrong.id })).rejects.toMatchObject({
      code: "invalid",
    });
    const changed = await changeWatchFolder(context, { ...change, connection_id: second.id });
    expect(changed).toMatchObject({ connection_name: "Second", paused_at: null });
    const kept = await changeWatchFolder(context, { ...change, version: 2, job_name: "{folder}" });
    expect(kept).toMatchObject({ connection_id: second.id });
    await put("new.mp4", "video after the change");
    await settleFiles(context);
    expect(await statesOf(context, id)).toMatchObject({ "new.mp4": "taken" });
    await context.db.deleteFrom("library_files").execute();
  });
});

it("leaves out a file that cannot be read, without holding up the others", async () => {
  const connection = await addConnection(context, { name: "Drive", ...drive.fields });
  const { id } = await addTestFolder(context, {
    ...{ kind: "drive", place: driveFolder, connection_id: connection.id, existing: "skip", grouping: "file" },
  });
  await checkDue(context);
  drive.put("bad.mp4", Buffer.from("video that is rejected"), driveFolder, "rejected");
  drive.put("good.mp4", Buffer.from("video that is fine"), driveFolder);
  await settleFiles(context);
  const reason = expect.stringContaining("Share the folder with it");
  expect((await allFiles(context, id)).find(({ name }) => name === "bad.mp4")).toMatchObject({ state: "seen", reason });
  expect(await statesOf(context, id)).toMatchObject({ "good.mp4": "taken" });
  for (let check = 0; check < 4; check += 1) await settleFiles(context);
  const failed = (await allFiles(context, id)).find(({ name }) => name === "bad.mp4")!;
  expect(failed).toMatchObject({ state: "failed", reason });
  await runFileAgain(context, { file_id: failed.id });
  await removeWatchFolder(context, { id });
});

it("rejects bytes that are not those of the listed version", async () => {
  const connection = await addConnection(context, { name: "Drive", ...drive.fields });
  const fields = { kind: "drive", place: driveFolder, connection_id: connection.id, existing: "skip" };
  const { id } = await addTestFolder(context, fields);
  await checkDue(context);
  drive.put("torn.mp4", Buffer.from("video of one version"), driveFolder, "torn");
  await settleFiles(context);
  expect(await statesOf(context, id)).toMatchObject({ "torn.mp4": "seen: This file changed while it was being read." });
  expect(await jobs()).toEqual([]);
});

it("takes a file that is renamed when it is complete, and takes no file again because of its name", async () => {
  const connection = await addConnection(context, { name: "Drive", ...drive.fields });
  const fields = { kind: "drive", place: driveFolder, connection_id: connection.id, existing: "skip" };
  const { id } = await addTestFolder(context, fields);
  await checkDue(context);
  const file = drive.add("c.mp4.part", Buffer.from("video of a camera"), driveFolder);
  await settleFiles(context);
  expect(await statesOf(context, id)).toMatchObject({ "c.mp4.part": expect.stringContaining("Temporary file") });
  drive.rename(file, "c.mp4");
  await settleFiles(context);
  expect(await statesOf(context, id)).toMatchObject({ "c.mp4": "taken" });
  drive.rename(file, "d.mp4");
  await settleFiles(context);
  expect(await jobs()).toHaveLength(1);
});

it("notices at SFTP, which has no checksums, that a file changed, grew or moved", async () => {
  const connection = await addConnection(context, { name: "SFTP", ...sftp.fields });
  const fields = { kind: "sftp", place: "/incoming", connection_id: connection.id, existing: "skip" };
  const { id } = await addTestFolder(context, fields);
  await checkDue(context);
  const at = path.join(home, "incoming/grows.mp4");
  await writeFile(at, "video");
  await passTime(context);
  await checkDue(context);
  await writeFile(at, "video that grew");
  await passTime(context);
  await checkDue(context);
  expect(await statesOf(context, id)).toMatchObject({ "grows.mp4": "seen" });
  await settleFiles(context);
  expect(await statesOf(context, id)).toMatchObject({ "grows.mp4": "taken" });
  await utimes(at, new Date(), new Date(2026, 1, 1));
  await settleFiles(context);
  expect(
    (await allFiles(context, id)).filter(({ name }) => name === "grows.mp4").map(({ reason }) => reason),
  ).toContain("The content is the same as before.");
  await rename(path.join(home, "incoming"), path.join(home, "away"));
  await settleFiles(context);
  expect((await folderNow(id)).last_fault).toContain("no file or folder at this path");
  await rename(path.join(home, "away"), path.join(home, "incoming"));
  await unlink(at);
  await settleFiles(context);
  expect(await folderNow(id)).toMatchObject({ last_fault: null, paused_at: null });
  expect(await jobs()).toHaveLength(1);
});

it("rejects places and connections that could never work", async () => {
  const connection_id = (await addConnection(context, { name: "Drive", ...drive.fields })).id;
  for (const [fields, sentence] of [
    [{ kind: "drive", place: driveFolder }, "Choose a connection."],
    [{ kind: "local", place: "incoming", connection_id }, "A folder of this kind has no connection."],
    [{ kind: "drive", place: "https://example.com/folder", connection_id }, "Enter the link to a Google Drive folder."],
    [{ kind: "drive", place: "../up", connection_id }, "Enter the link to a Google Drive folder."],
    [{ kind: "sftp", place: "/incoming", connection_id }, "This connection is for another kind of folder."],
    [{ kind: "sftp", place: "/in/../up", connection_id }, "The folder can't have .. in its path."],
    [{ kind: "sftp", place: "/in\u202Ecoming", connection_id }, "The folder can't contain invisible characters."],
    [{ kind: "dropbox", place: "https://www.dropbox.com/home/in", connection_id }, "Enter the folder's path"],
    [{ kind: "dropbox", place: "/in", connection_id: crypto.randomUUID() }, "This connection no longer exists."],
    [{ kind: "ftp", place: "/in", connection_id }, "kind: must be one of local, s3, google-drive, drive"],
  ] as const) {
    await expect(addTestFolder(context, fields)).rejects.toThrow(sentence);
  }
  expect(await listWatchFolders(context)).toEqual([]);
});
