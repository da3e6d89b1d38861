/** Cancels a job on one server while its ffmpeg runs on another host, which shares only database and storage. */
import { readlink } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { CancelJobResponse } from "#contract/calls.ts";
import { createJob, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { requireNothingLeft } from "#tests/support/faults/fault-job.ts";
import { type Fleet, type FleetProgram, openInstalledFleet } from "#tests/support/servers/fleet.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { processesNaming } from "#tests/support/media/measure.ts";
import { canCreateHosts, openOtherHost, type OtherHost } from "#tests/support/faults/other-host.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const MOST_SECONDS = 2;
const canTry = canCreateHosts();

const folder = await makeScratchFolder();
let twin: DriveTwin;
let host: OtherHost;
let fleet: Fleet;
let server: FleetProgram;
let worker: FleetProgram;

beforeAll(async () => {
  if (!canTry) return;
  twin = await startDriveTwin();
  const file = path.join(folder, "long.mp4");
  await makeClip(file, { width: 640, height: 480, seconds: 60, toneHz: null });
  twin.add({ id: "long", path: file, name: "long.mp4", mimeType: "video/mp4" });
  fleet = await openInstalledFleet();
  server = await fleet.start("server");
  host = await openOtherHost();
  const drive = await host.expose(twin.url);
  worker = await fleet.start("worker", {
    prefix: host.prefix,
    databaseUrl: await host.expose(fleet.databaseUrl),
    environment: { GOOGLE_API_BASE_URL: drive, GOOGLE_DOWNLOAD_BASE_URL: drive },
  });
}, 180_000);

afterAll(async () => {
  if (!canTry) return;
  await fleet.close();
  await host.close();
  await twin.close();
});

testFault(
  {
    id: "cancel-across-hosts",
    fault: "a job is canceled on one server while its ffmpeg runs on another host (a network namespace)",
    expected: `ffmpeg is dead within ${MOST_SECONDS} s; Cancelled, no scratch file left`,
    rounds: { short: 1, full: 50 },
    secondsPerRound: 60,
    skip: !canTry && "this process may not make network namespaces",
  },
  cancelFromAfar,
);

async function cancelFromAfar(round: number): Promise<Record<string, number>> {
  const client = await signedInClient(server.url);
  const job = await createJob(client, {
    input_videos: [twin.links("long")],
    captions_enabled: true,
    custom_captions: [`Round ${round}`],
  });
  const scratch = path.join(worker.dataDir, "scratch");
  const findEncoders = async (): Promise<number[]> => {
    const [encoders, ours] = await Promise.all([processesNaming("libx264"), processesNaming(scratch)]);
    return encoders.filter((pid) => ours.includes(pid));
  };
  await expect.poll(findEncoders, { timeout: 60_000, interval: 20 }).not.toEqual([]);
  expect(await readlink(`/proc/${worker.pid}/ns/net`)).not.toBe(await readlink(`/proc/${server.pid}/ns/net`));
  const startedMs = performance.now();
  const response = client.functions.invoke<CancelJobResponse>("vps-integration/cancel", { body: { jobId: job.id } });
  await expect.poll(() => processesNaming(scratch), { timeout: 30_000, interval: 10 }).toEqual([]);
  const seconds = (performance.now() - startedMs) / 1_000;
  expect(seconds, "seconds until ffmpeg was dead").toBeLessThanOrEqual(MOST_SECONDS);
  const { data, error } = await response;
  expect(error).toBeNull();
  expect(data).toEqual({ success: true });
  expect((await readJob(client, job.id)).status).toBe("Cancelled");
  await requireNothingLeft(scratch);
  return { "seconds until ffmpeg was dead": seconds };
}
