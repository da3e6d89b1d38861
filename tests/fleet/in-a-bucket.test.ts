/** Servers and a worker share only PostgreSQL and a bucket, as on separate machines. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { createJob, hasEnded, readJob, readLibrary, signedInClient } from "#tests/support/servers/client.ts";
import { rowsOf } from "#tests/support/faults/fault-job.ts";
import { type Fleet, type FleetProgram, openInstalledFleet } from "#tests/support/servers/fleet.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { durations, readDecodeErrors } from "#tests/support/media/measure.ts";
import { type S3Server, startS3Server } from "#tests/support/twins/s3-server.ts";
import { unzip } from "#tests/support/unzip.ts";

const LONG_TIMEOUT = { timeout: 120_000 };
const SECONDS = 2;

let bucket: S3Server;
let fleet: Fleet;
let programs: { first: FleetProgram; second: FleetProgram; worker: FleetProgram };
let client: SupabaseClient;

beforeAll(async () => {
  bucket = await startS3Server();
  fleet = await openInstalledFleet(bucket.environment);
  const [first, second, worker] = await Promise.all([
    fleet.start("server"),
    fleet.start("server"),
    fleet.start("worker"),
  ]);
  programs = { first, second, worker };
  client = await signedInClient(first.url);
}, 180_000);
afterAll(async () => {
  await fleet?.close();
  await bucket?.close();
});

it("renders a file uploaded to one server and serves the outputs from the other", LONG_TIMEOUT, async () => {
  const { first, second } = programs;
  const { data } = await client.auth.getSession();
  const { access_token: token } = data.session!;
  const clip = path.join(fleet.folder, "clip.mp4");
  await makeClip(clip, { width: 216, height: 384, seconds: SECONDS });
  const upload = await fetch(`${first.url}/uploads?name=clip.mp4`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: new Uint8Array(await readFile(clip)),
  });
  expect(upload.status).toBe(200);
  const { data: uploaded } = (await upload.json()) as { data: { id: string } };
  const job = await createJob(client, {
    input_videos: [libraryLink(uploaded.id)],
    variants_per_video: 2,
    captions_enabled: true,
    custom_captions: ["One", "Two"],
  });
  await expect.poll(() => hasEnded(client, job.id), LONG_TIMEOUT).toBe(true);

  const elsewhere = createClient(second.url, "any key", {
    accessToken: async () => token,
  });
  const made = await readJob(elsewhere, job.id);
  expect(made).toMatchObject({ status: "Completed", error_message: null });
  const outputs = await rowsOf<JobOutput>(elsewhere, "job_outputs", job.id);
  const names = ["001-v1-clip.mp4", "001-v2-clip.mp4"];
  expect(outputs.map(({ name }) => name).toSorted()).toEqual(names);

  const zip = path.join(fleet.folder, "outputs.zip");
  const download = await fetch(second.url + made.download_url!);
  const bytes = new Uint8Array(await download.arrayBuffer());
  expect([download.status, download.headers.get("content-length")]).toEqual([200, String(bytes.byteLength)]);
  await writeFile(zip, bytes);
  const files = (await unzip(zip, fleet.folder)).filter((file) => file.endsWith(".mp4"));
  expect(files.map((file) => path.basename(file)).toSorted()).toEqual(names);
  for (const file of files) {
    expect(await readDecodeErrors(file)).toBe("");
    expect((await durations(file)).video).toBeCloseTo(SECONDS, 0);
  }

  expect((await bucket.list(`outputs/${job.id}`)).toSorted()).toEqual(names);
  expect((await readLibrary(client)).data.map(({ id }) => id)).toContain(uploaded.id);
  expect(await bucket.openUploads()).toEqual([]);
  for (const { dataDir } of Object.values(programs)) expect(await readdir(dataDir)).not.toContain("files");
});
