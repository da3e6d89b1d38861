/** Two servers and three workers on one PostgreSQL, as an operator starts them. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JobOutput } from "#contract/jobs.ts";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/client.ts";
import { type Fleet, type FleetProgram, openFleet } from "#tests/support/fleet.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/google-drive-twin.ts";
import { makeClip } from "#tests/support/make-clip.ts";

let fleet: Fleet;
let twin: DriveTwin;
let servers: FleetProgram[];
let workers: FleetProgram[];

beforeAll(async () => {
  twin = await startDriveTwin();
  fleet = await openFleet({ GOOGLE_API_BASE_URL: twin.url, GOOGLE_DOWNLOAD_BASE_URL: twin.url });
  const start = (kind: "server" | "worker", amount: number) =>
    Promise.all(Array.from({ length: amount }, () => fleet.start(kind)));
  // All at once, on an empty database.
  const started = await Promise.all([start("server", 2), start("worker", 3)]);
  servers = started[0];
  workers = started[1];
}, 180_000);
afterAll(async () => {
  await fleet?.close();
  await twin?.close();
});

it("makes a job's outputs once each, with the work spread over the workers", { timeout: 180_000 }, async () => {
  const names = Array.from({ length: 9 }, (_, i) => `clip-${i}`);
  for (const id of names) {
    const file = path.join(fleet.folder, `${id}.mp4`);
    await makeClip(file, { width: 216, height: 384, seconds: 2 });
    twin.add({ id, path: file, name: `${id}.mp4`, mimeType: "video/mp4" });
  }
  const client = await signedInClient(servers[0]!.url);
  const job = await createJob(client, { input_videos: names.map((id) => twin.links(id)), variants_per_video: 2 });
  await expect.poll(() => hasEnded(client, job.id), { timeout: 120_000 }).toBe(true);
  expect(await readJob(client, job.id)).toMatchObject({ status: "Completed", error_message: null });
  const { data } = await client.from("job_outputs").select("*").eq("job_id", job.id);
  const expected = names.flatMap((id, i) => [1, 2].map((variant) => `00${i + 1}-v${variant}-${id}.mp4`));
  expect((data as JobOutput[]).map((output) => output.name).toSorted()).toEqual(expected);
  const stored = await readdir(path.join(fleet.storageRoot, "outputs", job.id));
  expect(stored.toSorted()).toEqual(expected);
  const videos = workers.map((worker) => videosOf(worker, job.id));
  expect(videos.flat()).toHaveLength(names.length);
  for (const own of videos) expect(own).not.toEqual([]);
});

/** The videos that a worker says it has completed. */
function videosOf(worker: FleetProgram, jobId: string): string[] {
  const lines = worker
    .output()
    .stderr.split("\n")
    .filter((line) => line.startsWith("{"));
  const said = lines.map((line) => JSON.parse(line) as { jobId?: string; videoId?: string; msg?: string });
  return said.flatMap((line) => (line.jobId === jobId && line.msg === "video completed" ? [line.videoId!] : []));
}
