import { mkdir } from "node:fs/promises";
import path from "node:path";
import { DeleteObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { baseUrlsOf } from "#tests/support/test-context.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { type S3Server, startS3Server } from "#tests/support/twins/s3-server.ts";
import {
  addTestFolder,
  checkDue,
  openWatchContext,
  passTime,
  settleFiles,
  statesOf,
} from "#tests/support/watch-folder.ts";
import { addConnection, removeConnection } from "../connections/change-connection.ts";
import { saveServiceKey } from "../settings/service-key.ts";
import { writeSetting } from "../settings/write-setting.ts";
import { listWatchFolders } from "./list-watch-folders.ts";
import type { WatchContext } from "./watch-context.ts";

const folder = await makeScratchFolder();
const stack = new AsyncDisposableStack();
let context: WatchContext;
let store: S3Server;
let drive: DriveTwin;
let client: S3Client;

beforeAll(async () => {
  store = await startS3Server();
  stack.defer(() => store.close());
  drive = await startDriveTwin({ apiKey: "a-key" });
  stack.defer(() => drive.close());
  const hosts = { privateSources: [`127.0.0.1:${store.port}`], baseUrls: baseUrlsOf(drive.url) };
  await mkdir(path.join(folder, "server"));
  context = await openWatchContext(stack, path.join(folder, "server"), { hosts });
  await writeSetting(context.db, "source_hosts", JSON.stringify(["s3"]));
  await saveServiceKey(context, "google_drive_key", "a-key");
  client = new S3Client({ endpoint: store.location.endpoint!, region: "us-east-1", forcePathStyle: true });
  stack.defer(() => client.destroy());
});
afterAll(() => stack.disposeAsync());

const put = (key: string, body: string) =>
  client.send(new PutObjectCommand({ Bucket: "clips", Key: key, Body: Buffer.from(body) }));

async function links(): Promise<string[]> {
  const jobs = await context.db.selectFrom("jobs").select("input_videos").orderBy("created_at").execute();
  return jobs.flatMap((job) => job.input_videos);
}

it("makes jobs of the files of an S3 folder at once, by their ETags", async () => {
  const keys = { access_key_id: "S3RVER", secret_access_key: "S3RVER" };
  const fields = { kind: "s3", name: "Archive", endpoint: store.location.endpoint, path_style: true, ...keys };
  const connection = await addConnection(context, { ...fields, buckets: ["clips"] });
  await put("in/a.mp4", "one");
  await put("in/b, c.mp4", "two");
  await put("in/deep/c.mp4", "three");
  await put("in/empty.mp4", "");
  await put("in/folder/", "");
  await put("other.mp4", "four");
  const { id } = await addTestFolder(context, { name: "S3", kind: "s3", place: "s3://clips/in/" });
  await checkDue(context);
  expect(await statesOf(context, id)).toEqual({
    "a.mp4": "taken",
    "b, c.mp4": expect.stringContaining("skipped: The name has a comma"),
    "empty.mp4": "skipped: The file is empty.",
  });
  expect(await links()).toEqual(["s3://clips/in/a.mp4"]);
  await put("in/a.mp4", "one");
  await settleFiles(context);
  expect(await links()).toHaveLength(1);
  await put("in/a.mp4", "another content");
  await client.send(new DeleteObjectCommand({ Bucket: "clips", Key: "in/empty.mp4" }));
  await settleFiles(context);
  expect(await links()).toEqual(["s3://clips/in/a.mp4", "s3://clips/in/a.mp4"]);

  await removeConnection(context, { id: connection.id, force: true });
  await passTime(context);
  await checkDue(context);
  const [paused] = await listWatchFolders(context, id);
  expect(paused!.pause_reason).toMatch(/connection/i);
});

it("makes jobs of the videos in a shared Google Drive folder", async () => {
  const before = await links();
  const file = { mimeType: "video/mp4", folder: "folder-1" };
  drive.add({ ...file, id: "first", name: "First.mp4", bytes: Buffer.from("abc") });
  drive.add({ ...file, id: "sheet", name: "Plan.pdf", bytes: Buffer.from("abc"), mimeType: "application/pdf" });
  const place = "https://drive.google.com/drive/folders/folder-1?usp=sharing";
  const { id } = await addTestFolder(context, { name: "Drive", kind: "google-drive", place });
  await checkDue(context);
  expect(await statesOf(context, id)).toEqual({ "First.mp4": "seen", "Plan.pdf": "skipped: Not a video." });
  await settleFiles(context);
  expect((await links()).slice(before.length)).toEqual([drive.links("first")]);
  drive.setAway("cuts");
  await passTime(context);
  await checkDue(context);
  expect((await listWatchFolders(context, id))[0]).toMatchObject({
    last_fault: expect.stringContaining("Google Drive"),
    paused_at: null,
  });
  drive.setAway(null);
  await settleFiles(context);
  expect((await listWatchFolders(context, id))[0]!.last_fault).toBeNull();
  expect(await links()).toHaveLength(before.length + 1);
});
