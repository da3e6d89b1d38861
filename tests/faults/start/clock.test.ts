import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect } from "vitest";
import type { JobOutput, JobVideo } from "#contract/jobs/jobs.ts";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import type { ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { type FaultJobs, openFaultJobs, requireIntact, rowsOf } from "#tests/support/faults/fault-job.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { type Fleet, openInstalledFleet } from "#tests/support/servers/fleet.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const HOUR_MS = 3_600_000;
/** Forward, back, further back, and to the right time. */
const JUMPS_MS = [HOUR_MS, 0, -HOUR_MS, 0];
/** Long enough for several checks for expired leases. */
const STAY_MS = 3_000;
const PRELOADED = new URL("../../support/faults/machine/shift-clock.ts", import.meta.url).href;

const folder = await makeScratchFolder();
let jobs: FaultJobs;
let fleet: Fleet | null = null;

beforeAll(async () => {
  jobs = await openFaultJobs(folder);
}, 180_000);

afterAll(async () => {
  for (const { clipmill } of PLACES) await clipmill?.stop();
  await jobs.close();
  await fleet?.close();
});

type Place = {
  kind: string;
  shortRounds: number;
  start(environment: Record<string, string>): Promise<ClipmillProcess>;
  filesRoot(): string;
  clipmill: ClipmillProcess | null;
};

const dataDir = path.join(folder, "embedded");
const PLACES: Place[] = [
  {
    kind: "embedded",
    shortRounds: 1,
    start: (environment) => startInstalledClipmill(dataDir, environment),
    filesRoot: () => path.join(dataDir, "files"),
    clipmill: null,
  },
  {
    kind: "PostgreSQL",
    // The server keeps its own clock, so a jump moves less than with an embedded database.
    shortRounds: 0,
    start: async (environment) => (fleet = await openInstalledFleet()).start("start", { environment }),
    filesRoot: () => fleet!.storageRoot,
    clipmill: null,
  },
];

for (const place of PLACES) {
  testFault(
    {
      id: `clock-${place.kind.toLowerCase()}`,
      fault: `the wall clock jumps forward and back by an hour during a job (${place.kind})`,
      expected: "no lease is lost: Completed on the first attempt; sessions and signed links stay valid",
      rounds: { short: place.shortRounds, full: 5 },
      secondsPerRound: 120,
    },
    (round) => letJump(place, `${place.kind} ${round}`),
  );
}

async function letJump(place: Place, mark: string): Promise<void> {
  await setClock(place, 0);
  if (!place.clipmill) {
    place.clipmill = await place.start({
      ...jobs.environment,
      CLOCK_FILE: clockFileOf(place),
      NODE_OPTIONS: `--import=${PRELOADED}`,
    });
  }
  const { url: address } = place.clipmill;
  const client = await signedInClient(address);
  const linkBefore = await signLink(client, `${mark}, before`);
  jobs.hold("second");
  const job = await createJob(client, jobs.request(mark));
  const isAtWork = async (): Promise<boolean> => {
    const videos = await rowsOf<JobVideo>(client, "job_videos", job.id);
    return videos.every((video) => video.status !== "Queued");
  };
  const links = [linkBefore];
  try {
    await expect.poll(isAtWork, { timeout: 30_000 }).toBe(true);
    for (const jumpMs of JUMPS_MS) {
      await setClock(place, jumpMs);
      await requireShifted(client, jumpMs);
      links.push(await signLinkOf(client, linkBefore.jobId));
      for (const { url } of links) expect((await fetch(new URL(url, address))).status, `the link ${url}`).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, STAY_MS));
      expect((await client.from("jobs").select("id").limit(1)).error, "the session goes on").toBeNull();
    }
  } finally {
    jobs.release("second");
  }
  await expect.poll(() => hasEnded(client, job.id), { timeout: 60_000 }).toBe(true);
  expect(await readJob(client, job.id)).toMatchObject({ status: "Completed", retry_count: 0 });
  await requireIntact(client, job.id, place.filesRoot());
}

function clockFileOf({ kind }: Place): string {
  return path.join(folder, `${kind}.clock`);
}

async function setClock(place: Place, offByMs: number): Promise<void> {
  await writeFile(clockFileOf(place), String(offByMs));
  if (!place.clipmill) return;
  process.kill(place.clipmill.pid, "SIGUSR2");
  await expect.poll(() => readFile(`${clockFileOf(place)}.seen`, "utf8")).toBe(String(offByMs));
}

/** Returns a signed link to a file of a completed job. */
async function signLink(client: SupabaseClient, mark: string): Promise<{ jobId: string; url: string }> {
  const job = await createJob(client, jobs.request(mark));
  await expect.poll(() => hasEnded(client, job.id), { timeout: 60_000 }).toBe(true);
  return signLinkOf(client, job.id);
}

async function signLinkOf(client: SupabaseClient, jobId: string): Promise<{ jobId: string; url: string }> {
  const [output] = await rowsOf<JobOutput>(client, "job_outputs", jobId);
  return { jobId, url: output!.media_url! };
}

/** Refreshes the session, as a client must an hour later; the new token shows the server's clock. */
async function requireShifted(client: SupabaseClient, offByMs: number): Promise<void> {
  const { data, error } = await client.auth.refreshSession();
  expect(error).toBeNull();
  const [, claims] = data.session!.access_token.split(".");
  const { iat } = JSON.parse(Buffer.from(claims!, "base64url").toString()) as { iat: number };
  expect(Math.abs(iat * 1_000 - (Date.now() + offByMs))).toBeLessThan(60_000);
}
