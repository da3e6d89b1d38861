import { mkdir, readFile, symlink, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Manifest } from "#contract/manifest/manifest.ts";
import { changeDelivery } from "#operations/deliveries/change-delivery.ts";
import { deliverJob } from "#operations/deliveries/start-deliveries.ts";
import { listDeliveries, listDeliveryFiles } from "#operations/deliveries/list-deliveries.ts";
import { changeDestination } from "#operations/destinations/change-destination.ts";
import { removeDestination } from "#operations/destinations/remove-destination.ts";
import { testDestination } from "#operations/destinations/test-destination.ts";
import { coverKeyOf } from "#operations/jobs/job-folders.ts";
import { recordSubtitles } from "#operations/jobs/videos/output-subtitles.ts";
import { deleteJobs } from "#operations/jobs/delete-jobs.ts";
import { deleteOldFiles } from "#operations/retention/delete-old-files.ts";
import type { Storage } from "#storage/storage.ts";
import { addTestDestination, checksumsBelow, delivered, filesBelow } from "#tests/support/deliveries/deliveries.ts";
import { completeJob } from "#tests/support/jobs/completed-job.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

const SIZES = [1_000, 0, 200_000, 3];

let worker: TestWorker;
let root: string;

beforeAll(async () => {
  worker = await openTestWorker();
  root = worker.context.deliveryFolders["deliveries"]!;
  await worker.start(1, { ownWaits: { no_space: { first: 1, longest: 1 } } });
});
afterAll(() => worker[Symbol.asyncDispose]());

function rejectUse(): Promise<never> {
  return Promise.reject(new Error("Nobody downloads."));
}

it("delivers a completed job to its destinations, under names by their pattern, with the manifests last", async () => {
  const plain = await addTestDestination(worker.context, { folder: "plain/{job}" });
  const named = await addTestDestination(worker.context, { folder: "named", name_pattern: "{job} {variant}" });
  const settings = { job_name: "Käse & Co: #1", destinations: [plain.id, named.id] };
  const job = await completeJob(worker.context, worker.folder, { settings, sizes: SIZES });
  await delivered(worker.context, job.id);
  const folder = path.join(root, "plain/Käse & Co_ #1");
  const { "manifest.csv": csv, "manifest.json": json, ...files } = await checksumsBelow(folder);
  expect(files).toEqual(Object.fromEntries(job.files.map(({ name, sha256 }) => [name, sha256])));
  expect([csv, json]).toEqual([expect.any(String), expect.any(String)]);
  expect(Object.keys(await checksumsBelow(path.join(root, "named")))).toEqual([
    ...SIZES.map((_, i) => `Käse & Co_ #1 ${i + 1}.mp4`),
    "manifest.csv",
    "manifest.json",
  ]);
  const manifest = JSON.parse(await readFile(path.join(root, "named/manifest.json"), "utf8")) as Manifest;
  expect(manifest.outputs.map(({ output, sha256 }) => [output, sha256])).toEqual(
    job.files.map(({ sha256 }, i) => [`Käse & Co_ #1 ${i + 1}.mp4`, sha256]),
  );
});

it("delivers a file's cover beside it, under the file's own name there", async () => {
  const { id } = await addTestDestination(worker.context, { folder: "covered" });
  const job = await completeJob(worker.context, worker.folder, { sizes: [10, 20] });
  const cover = path.join(worker.folder, "cover.jpg");
  await writeFile(cover, "a picture");
  const ofVariant = worker.context.db.selectFrom("job_outputs").where("job_id", "=", job.id).where("variant", "=", 1);
  const { id: outputId, storage_key: key } = await ofVariant.select(["id", "storage_key"]).executeTakeFirstOrThrow();
  const { sizeBytes, crc32 } = await worker.context.storage.put(coverKeyOf(key!), cover);
  const stored = { cover: JSON.stringify({ sizeBytes, crc32 }) };
  await worker.context.db.updateTable("job_outputs").set(stored).where("id", "=", outputId).execute();
  const folder = path.join(root, "covered");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "001-v2-clip.mp4"), "someone else's");
  await deliverJob(worker.context, { job_id: job.id, destination_id: id });
  expect(await delivered(worker.context, job.id)).toMatchObject({ status: "Completed", files: 2, delivered: 2 });
  expect(Object.keys(await checksumsBelow(folder))).toEqual([
    "001-v1-clip.mp4",
    "001-v2-clip-2.jpg",
    "001-v2-clip-2.mp4",
    "001-v2-clip.mp4",
    ...["manifest.csv", "manifest.json"],
  ]);
  expect(await readFile(path.join(folder, "001-v2-clip-2.jpg"), "utf8")).toBe("a picture");
  const manifest = JSON.parse(await readFile(path.join(folder, "manifest.json"), "utf8")) as Manifest;
  expect(manifest.outputs.map((output) => output.cover)).toEqual([null, "001-v2-clip-2.jpg"]);
});

it.each([
  { language: "", settings: {} },
  { language: ".pt-BR", settings: { subtitles_enabled: true, subtitle_languages: ["pt-BR"] } },
])("delivers a file's subtitles beside it, with their language %j", async ({ language, settings }) => {
  const { id } = await addTestDestination(worker.context, { folder: `subtitled${language}` });
  const job = await completeJob(worker.context, worker.folder, { settings, sizes: [10, 20] });
  const first = worker.context.db.updateTable("job_outputs").where("job_id", "=", job.id).where("variant", "=", 0);
  await first.set({ content_key: "content" }).execute();
  const srt = "1\n00:00:01,000 --> 00:00:02,000\nHello\n";
  await recordSubtitles(worker.context, job.id, "content", srt);
  await deliverJob(worker.context, { job_id: job.id, destination_id: id });
  expect(await delivered(worker.context, job.id)).toMatchObject({ status: "Completed", files: 2, delivered: 2 });
  const folder = path.join(root, `subtitled${language}`);
  expect(Object.keys(await checksumsBelow(folder))).toEqual([
    ...["001-v1-clip.mp4", `001-v1-clip${language}.srt`, `001-v1-clip${language}.vtt`, "001-v2-clip.mp4"],
    ...["manifest.csv", "manifest.json"],
  ]);
  expect(await readFile(path.join(folder, `001-v1-clip${language}.srt`), "utf8")).toBe(srt);
  expect(await readFile(path.join(folder, `001-v1-clip${language}.vtt`), "utf8")).toMatch(
    /^WEBVTT\n\n00:00:01.000 -->/,
  );
  const manifest = JSON.parse(await readFile(path.join(folder, "manifest.json"), "utf8")) as Manifest;
  expect(manifest.outputs.map(({ subtitles }) => subtitles)).toEqual([`001-v1-clip${language}.srt`, null]);
});

it("sends nothing again, and never replaces a file with another content", async () => {
  const { id } = await addTestDestination(worker.context, { folder: "again", with_manifest: false });
  const job = await completeJob(worker.context, worker.folder, { sizes: SIZES });
  const [first, second] = job.files;
  const folder = path.join(root, "again");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, first!.name), "something else");
  const order = { job_id: job.id, destination_id: id };
  await deliverJob(worker.context, order);
  expect(await delivered(worker.context, job.id)).toMatchObject({ status: "Completed", files: 4, delivered: 4 });
  const held = await checksumsBelow(folder);
  expect(held["001-v1-clip-2.mp4"]).toBe(first!.sha256);
  expect(held[second!.name]).toBe(second!.sha256);
  await deliverJob(worker.context, order);
  await delivered(worker.context, job.id);
  expect(await checksumsBelow(folder)).toEqual(held);
  expect(await readFile(path.join(folder, first!.name), "utf8")).toBe("something else");
});

it("says what an operator must correct, and delivers the rest on a retry", async () => {
  const { id } = await addTestDestination(worker.context, { folder: "blocked/here" });
  await writeFile(path.join(root, "blocked"), "a file where the folder should be");
  const job = await completeJob(worker.context, worker.folder, { settings: { destinations: [id] }, sizes: [10, 20] });
  const failed = await delivered(worker.context, job.id);
  expect(failed).toMatchObject({
    status: "Failed",
    delivered: 0,
    error_message: expect.stringContaining("does not exist"),
  });
  await unlink(path.join(root, "blocked"));
  await changeDelivery(worker.context, { id: failed.id, action: "retry" });
  expect(await delivered(worker.context, job.id)).toMatchObject({ id: failed.id, status: "Completed", delivered: 2 });
  await expect(changeDelivery(worker.context, { id: failed.id, action: "cancel" })).rejects.toThrow("already ended");
});

/** In the folder, and in the bucket, of which deliveries make their own copies. */
async function replaceStored(key: string, content: string | Uint8Array): Promise<void> {
  const file = path.join(worker.folder, "replacement");
  await writeFile(file, content);
  await worker.context.storage.put(key, file);
}

it("names each file that cannot be delivered, and writes no manifest without it", async () => {
  const { id } = await addTestDestination(worker.context, { folder: "partial" });
  const job = await completeJob(worker.context, worker.folder, { sizes: [10, 20, 30] });
  const { storage_key: key } = await worker.context.db
    .selectFrom("job_outputs")
    .select("storage_key")
    .where("job_id", "=", job.id)
    .where("variant", "=", 1)
    .executeTakeFirstOrThrow();
  await replaceStored(key!, "rotten");
  await deliverJob(worker.context, { job_id: job.id, destination_id: id });
  expect(await delivered(worker.context, job.id)).toMatchObject({
    ...{ status: "Failed", files: 3, delivered: 2, failed: 1 },
    error_message: "1 of 3 files could not be delivered.",
    problems: [{ files: 1, name: "001-v2-clip.mp4", error_message: expect.stringContaining("damaged") }],
  });
  expect(Object.keys(await checksumsBelow(path.join(root, "partial")))).toEqual(["001-v1-clip.mp4", "001-v3-clip.mp4"]);
});

it("removes each copy of a bucket's file after sending it, and waits while the worker's disk is full", async () => {
  const { id } = await addTestDestination(worker.context, { folder: "from-bucket", with_manifest: false });
  const job = await completeJob(worker.context, worker.folder, { sizes: [10, 20, 0] });
  const { storage } = worker.context;
  const scratch = path.join(worker.folder, "scratch");
  const copies: number[] = [];
  let isFull = true;
  // As a bucket does: it has addresses, and its local copies stay.
  const bucket: Storage = {
    ...storage,
    addresses: { origin: "https://bucket.test", of: rejectUse, toPut: rejectUse },
    toLocalFile: () => Promise.reject(new Error("A copy stays.")),
    async read(key) {
      if (isFull) throw Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" });
      copies.push((await filesBelow(scratch)).length);
      return await storage.read(key);
    },
  };
  Object.assign(worker.context, { storage: bucket });
  onTestFinished(() => void Object.assign(worker.context, { storage }));
  await deliverJob(worker.context, { job_id: job.id, destination_id: id });
  await expect
    .poll(async () => (await listDeliveries(worker.context, job.id))[0], { timeout: 10_000, interval: 20 })
    .toMatchObject({ status: "Queued", error_message: "The disk is full. Free some space, then retry." });
  isFull = false;
  expect(await delivered(worker.context, job.id)).toMatchObject({ status: "Completed", delivered: 3, failed: 0 });
  // Waiting uses up no attempt.
  expect(
    await worker.context.db.selectFrom("deliveries").select("attempts").where("job_id", "=", job.id).execute(),
  ).toEqual([{ attempts: 1 }]);
  const sent = await checksumsBelow(path.join(root, "from-bucket"));
  expect(sent).toEqual(Object.fromEntries(job.files.map(({ name, sha256 }) => [name, sha256])));
  expect(Math.max(...copies)).toBeLessThan(3);
  expect(await checksumsBelow(scratch)).toEqual({});
});

it("starts over at another place, and ends without the manifests that are no longer wanted", async () => {
  const { context } = worker;
  const nas = path.join(worker.folder, "nas");
  await mkdir(nas);
  Object.assign(context.deliveryFolders, { nas });
  const destination = await addTestDestination(context, { folder: "moved" });
  const job = await completeJob(context, worker.folder, { sizes: [10, 20] });
  const { storage_key: key } = await context.db
    .selectFrom("job_outputs")
    .select("storage_key")
    .where("job_id", "=", job.id)
    .where("variant", "=", 1)
    .executeTakeFirstOrThrow();
  const bytes = await readFile(await context.storage.toLocalFile(key!));
  await replaceStored(key!, "rotten");
  await deliverJob(context, { job_id: job.id, destination_id: destination.id });
  const half = await delivered(context, job.id);
  expect(half).toMatchObject({ status: "Failed", files: 2, delivered: 1, failed: 1 });
  await replaceStored(key!, bytes);
  await changeDestination(context, { ...destination, place: "nas", folder: "there" });
  await changeDelivery(context, { id: half.id, action: "retry" });
  expect(await delivered(context, job.id)).toMatchObject({ status: "Completed", files: 2, delivered: 2, failed: 0 });
  const names = job.files.map(({ name }) => name);
  const sent = await checksumsBelow(path.join(nas, "there"));
  expect(Object.keys(sent)).toEqual([...names, "manifest.csv", "manifest.json"]);

  // As if the destination had rejected the manifests.
  await context.db
    .updateTable("delivery_files")
    .set({ state: "Failed" })
    .where("delivery_id", "=", half.id)
    .where("output_id", "is", null)
    .execute();
  await context.db.updateTable("deliveries").set({ status: "Failed" }).where("id", "=", half.id).execute();
  await changeDestination(context, {
    ...{ ...destination, place: "nas", folder: "there" },
    ...{ version: destination.version + 1, with_manifest: false },
  });
  await changeDelivery(context, { id: half.id, action: "retry" });
  expect(await delivered(context, job.id)).toMatchObject({ status: "Completed", delivered: 2 });
  expect((await listDeliveryFiles(context, half.id)).map(({ name }) => name)).toEqual(names);
});

it("leaves out a file that was rejected after the delivery had started", async () => {
  const { context } = worker;
  const destination = await addTestDestination(context, { folder: "reviewed", enabled: false });
  const settings = { destinations: [destination.id] };
  const job = await completeJob(context, worker.folder, { settings, sizes: [10, 20] });
  const off = await delivered(context, job.id);
  expect(off).toMatchObject({ status: "Failed", files: 2, error_message: expect.stringContaining("turned off") });
  const [rejected, wanted] = job.files;
  await context.db
    .updateTable("job_outputs")
    .set({ verdict: "rejected" })
    .where("job_id", "=", job.id)
    .where("name", "=", rejected!.name)
    .execute();
  await changeDestination(context, { ...destination, enabled: true });
  await changeDelivery(context, { id: off.id, action: "retry" });
  expect(await delivered(context, job.id)).toMatchObject({ status: "Completed", files: 1, delivered: 1 });
  const sent = await checksumsBelow(path.join(root, "reviewed"));
  expect(Object.keys(sent)).toEqual([wanted!.name, "manifest.csv", "manifest.json"]);
});

it("writes nothing outside the folder, whatever the folder contains", async () => {
  const outside = path.join(worker.folder, "outside");
  await mkdir(outside);
  await mkdir(root, { recursive: true });
  await symlink(outside, path.join(root, "link"));
  const { id } = await addTestDestination(worker.context, { folder: "link/deep" });
  const result = await testDestination(worker.context, { id });
  expect(result).toEqual({ isValid: false, message: expect.stringContaining("leads out of its destination") });
  const job = await completeJob(worker.context, worker.folder, { settings: { destinations: [id] }, sizes: [10] });
  expect(await delivered(worker.context, job.id)).toMatchObject({ status: "Failed" });
  expect(await checksumsBelow(outside)).toEqual({});
  await expect(addTestDestination(worker.context, { folder: "../outside" })).rejects.toThrow("can't be . or ..");
  await expect(addTestDestination(worker.context, { place: "../files" })).rejects.toThrow("There is no folder named");
});

it("keeps a job's files and its destination while they are needed", async () => {
  const { context } = worker;
  const { id } = await addTestDestination(context, { folder: "held" });
  // No worker takes it.
  await context.db
    .insertInto("hosts")
    .values(restOf(`destination:${id}`))
    .execute();
  const job = await completeJob(context, worker.folder, { settings: { destinations: [id] }, sizes: [10] });
  await context.db.updateTable("jobs").set({ updated_at: "2020-01-01T00:00:00Z" }).where("id", "=", job.id).execute();
  await deleteOldFiles(context, new Date());
  expect(await context.db.selectFrom("jobs").select("files_deleted_at").where("id", "=", job.id).execute()).toEqual([
    { files_deleted_at: null },
  ]);
  expect((await deleteJobs(context, [job.id])).refused).toEqual([
    { id: job.id, error: "The job's files are being delivered. Cancel the delivery first." },
  ]);
  await expect(removeDestination(context, { id })).rejects.toThrow('The job "A job" delivers to this destination');
  await removeDestination(context, { id, force: true });
  expect(await delivered(context, job.id)).toMatchObject({
    ...{ status: "Cancelled", destination_id: null, error_message: "Its destination was removed." },
  });
  expect(await deleteJobs(context, [job.id])).toEqual({ deleted: [job.id], refused: [] });
});

function restOf(host: `destination:${string}`) {
  const now = new Date().toISOString();
  const times = { failed_at: now, cooling_since: now, cools_until: new Date(Date.now() + 60_000).toISOString() };
  return { host, failures: 3, reason: "It cools down.", cooldown_seconds: 60, ...times };
}
