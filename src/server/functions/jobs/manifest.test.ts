/** Compares the action, the downloads and the zip. */
import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { FunctionsHttpError } from "@supabase/supabase-js";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CreateJobResponse, ManifestResponse } from "#contract/calls.ts";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import { pickSettings, SETTING_NAMES } from "#contract/job-settings/setting-values.ts";
import { sha256Of } from "#ground/checksum.ts";
import { planOutputs } from "#operations/jobs/create/plan-outputs.ts";
import { readJob } from "#operations/jobs/read/read-job.ts";
import { completeOutput } from "#operations/jobs/videos/complete-output.ts";
import { endVideo } from "#operations/jobs/videos/end-video.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { unzip } from "#tests/support/unzip.ts";

const linkOf = (id: string) => `https://drive.google.com/file/d/${id}/view`;
const BYTES = { a: randomBytes(50_000), b: randomBytes(20) };
const REQUEST: Partial<CreateJobRequest> = {
  job_name: "Spring",
  rows: [
    {
      link: linkOf("a"),
      settings: { custom_captions: ["=Sale, \u{1F389}"], start_seconds: 2, format: "9:16" },
      pass: { sku: "A-1", source: "CRM" },
      name: "harbor",
    },
    { link: linkOf("b"), pass: { sku: "-B" } },
  ],
  captions_enabled: true,
  custom_captions: ["all"],
  audio_enabled: true,
  custom_audio_links: [linkOf("music")],
  name_pattern: "{row.sku}",
};

let server: TestServer;
let job: WholeJob;

beforeAll(async () => {
  server = await startTestServer();
  job = await server.create(REQUEST);
  await makeFile("a", { startSeconds: 2, endSeconds: 4.5 });
  await makeFile("b", { startSeconds: 0, endSeconds: 1 });
  job = (await readJob(server.context, job.id))!;
});
afterAll(() => server.close());

/** Does not render. */
async function makeFile(id: "a" | "b", window: { startSeconds: number; endSeconds: number }): Promise<void> {
  const { context, folder } = server;
  const attemptRef = await start(id);
  const place = { ...attemptRef, name: `${id}.mov`, durationSeconds: 9 };
  const planned = { variant: 0, segment: 0, name: `${id}.mp4`, caption: "=Sale, \u{1F389}", track: "waves.mp3" };
  const [output] = (await planOutputs(context, place, [{ ...planned, window, trackLink: linkOf("music") }]))!;
  const local = path.join(folder, id);
  await writeFile(local, BYTES[id]);
  const storageKey = `outputs/${job.id}/${id}-${attemptRef.attempt}.mp4`;
  const stored = await context.storage.put(storageKey, local);
  const facts = { durationSeconds: window.endSeconds - window.startSeconds, width: 90, height: 160 };
  await completeOutput(context, attemptRef, {
    ...{ id: output!.id, warnings: [], conformance: null, contentKey: storageKey, thumbnailKey: "t", cover: null },
    ...{ storageKey, ...facts, ...stored },
  });
  await endVideo(context, attemptRef, { status: "Completed" });
}

async function start(id: string) {
  const { db } = server.context;
  const { id: videoId, attempts } = await db
    .updateTable("job_videos")
    .set((eb) => ({ status: "Processing", attempts: eb("attempts", "+", 1) }))
    .where("job_id", "=", job.id)
    .where("link", "=", linkOf(id))
    .returning(["id", "attempts"])
    .executeTakeFirstOrThrow();
  await db.updateTable("jobs").set({ status: "Processing" }).where("id", "=", job.id).execute();
  return { jobId: job.id, videoId, attempt: attempts };
}

async function call<T>(body: Record<string, unknown>): Promise<T> {
  const { data, error } = await server.client.functions.invoke<T>("jobs", { body });
  if (!error) return data!;
  if (!(error instanceof FunctionsHttpError)) throw error;
  const response = error.context as Response;
  return { status: response.status, ...((await response.json()) as object) } as T;
}

async function download(link: string, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + link, { headers });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

it("lists each file with its source, row, window and checksum", async () => {
  const { data } = await call<ManifestResponse>({ action: "manifest", jobId: job.id });
  expect(data.outputs).toMatchObject([
    {
      ...{ output: "a.mp4", source: linkOf("a"), row: 1, variant: 1, segment: 1, caption: "=Sale, \u{1F389}" },
      ...{ track: linkOf("music"), track_name: "waves.mp3", start_seconds: 2, end_seconds: 4.5, duration_seconds: 2.5 },
      ...{ width: 90, height: 160, size_bytes: 50_000, sha256: sha256Of(BYTES.a), format: "9:16" },
      ...{ settings: { start_seconds: 2, format: "9:16" }, warnings: [], conformance: null },
    },
    { output: "b.mp4", row: 2, format: "source", settings: {}, sha256: sha256Of(BYTES.b) },
  ]);
  expect(data.job).toEqual({ id: job.id, job_name: "Spring", created_at: job.created_at, ended_at: job.updated_at });
});

it("starts the same job again, and rejects what is not a manifest", async () => {
  const { data: manifest } = await call<ManifestResponse>({ action: "manifest", jobId: job.id });
  const { data: again } = await call<CreateJobResponse>({ manifest, job_name: "Spring, again" });
  expect(again.id).not.toBe(job.id);
  expect(pickSettings(again, SETTING_NAMES)).toEqual({
    ...pickSettings(job, SETTING_NAMES),
    job_name: "Spring, again",
  });
  expect(await call({ action: "manifest", jobId: again.id })).toMatchObject({
    status: 409,
    error: "The job is still running. Its manifest is complete when it ends.",
  });
  expect(await call({ manifest: [] })).toMatchObject({ status: 400, error: "This is not the manifest.json of a job." });
});

it("is the same in the zip and as a download, and its CSV has the rows' columns", async () => {
  const json = await download(job.manifest_url!);
  const csv = await download(`${job.manifest_url!}&format=csv`);
  expect(json.response.headers.get("content-type")).toBe("application/json");
  expect(csv.response.headers.get("content-disposition")).toContain(`filename="${job.id}-manifest.csv"`);
  const records = parse<Record<string, string>>(csv.bytes, { bom: true, columns: true });
  expect(records.map(({ output, caption, sku, "row.source": source }) => [output, caption, sku, source])).toEqual([
    ["a.mp4", "'=Sale, \u{1F389}", "A-1", "CRM"],
    ["b.mp4", "'=Sale, \u{1F389}", "'-B", ""],
  ]);
  const zip = await download(job.download_url!);
  const folder = path.join(server.folder, "unzipped");
  await mkdir(folder);
  await writeFile(path.join(server.folder, "all.zip"), zip.bytes);
  const files = await unzip(path.join(server.folder, "all.zip"), folder);
  const contents = await Promise.all(files.map((file) => readFile(file)));
  expect(files.map((file) => path.basename(file))).toEqual(["manifest.csv", "manifest.json", "a.mp4", "b.mp4"]);
  expect(contents.map((bytes) => sha256Of(bytes))).toEqual(
    [csv.bytes, json.bytes, BYTES.a, BYTES.b].map((bytes) => sha256Of(bytes)),
  );
});

it("stays the same until files are made again, and the zip with it", async () => {
  const before = await download(job.download_url!);
  const etag = before.response.headers.get("etag")!;
  const rest = await download(job.download_url!, { range: "bytes=1000-", "if-range": etag });
  expect(rest.bytes.equals(before.bytes.subarray(1000))).toBe(true);
  const { db } = server.context;
  const waiting = { status: "Queued", storage_key: null, content_key: null } as const;
  await db.updateTable("job_outputs").set(waiting).where("job_id", "=", job.id).where("name", "=", "a.mp4").execute();
  await db.updateTable("jobs").set({ status: "Queued" }).where("id", "=", job.id).execute();
  expect((await fetch(server.url + job.manifest_url!)).status).toBe(404);
  await makeFile("a", { startSeconds: 2, endSeconds: 4 });
  const { data } = await call<ManifestResponse>({ action: "manifest", jobId: job.id });
  expect(data.outputs).toMatchObject([{ output: "a.mp4", end_seconds: 4 }, { output: "b.mp4" }]);
  const after = await download(job.download_url!, { range: "bytes=1000-", "if-range": etag });
  expect(after.response.status).toBe(200);
});

it("leaves empty what was not recorded for older files", async () => {
  const unknown = { sha256: null, start_seconds: null, end_seconds: null, track_link: null };
  await server.context.db.updateTable("job_outputs").set(unknown).where("job_id", "=", job.id).execute();
  const csv = await download(`${job.manifest_url!}&format=csv`);
  const [record] = parse<Record<string, string>>(csv.bytes, { bom: true, columns: true });
  expect(record).toMatchObject({
    sha256: "",
    start_seconds: "",
    end_seconds: "",
    track: "waves.mp3",
    size_bytes: "50000",
  });
});
