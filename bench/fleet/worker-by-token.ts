/**
 * The same job on a worker with the database and on a worker by token (same machine, loopback): seconds and CPU seconds per
 * video, of the worker and of the server. VIDEOS of 1 s with two captions each, one after the other, so that the cost of
 * everything around the render shows. Linux only.
 */
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { openInstalledFleet } from "#tests/support/servers/fleet.ts";
import { createTokenForWorkers, startTokenProgram } from "#tests/support/servers/by-token/token-program.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { cpuSecondsOf } from "../support/cpu.ts";
import { describeMachine, describeRatio, openBenchFolder, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";

const VIDEOS = Number(process.env["VIDEOS"] ?? 20);
const POLL_MS = 50;

type Cost = { seconds: number; worker: number; server: number };

await using folder = await openBenchFolder();
await using twin = Object.assign(await startDriveTwin(), {
  async [Symbol.asyncDispose]() {
    await twin.close();
  },
});
const links: string[] = [];
for (let i = 0; i < VIDEOS; i += 1) {
  const file = folder.file(`${i}.mp4`);
  await makeClip(file, { width: 216, height: 384, seconds: 1, toneHz: 300 + 20 * i });
  twin.add({ id: `clip-${i}`, path: file, name: `${i}.mp4`, mimeType: "video/mp4" });
  links.push(twin.links(`clip-${i}`));
}
console.log(`${VIDEOS} videos of 1 s, 2 outputs each; ${describeMachine()}`);
const fleet = await openInstalledFleet({ ...twin.environment, WORKER_LABELS: "direct" });
try {
  const server = await fleet.start("server", { nodeFlags: [] });
  const client = await signedInClient(server.url);
  const access = await createTokenForWorkers(client, ["token"]);
  const { url } = server;
  const direct = await fleet.start("worker", { nodeFlags: [] });
  const options = { server: url, token: access.token, environment: twin.environment, nodeFlags: [] };
  const byToken = await startTokenProgram(fleet.folder, options);
  const costs: Record<"direct" | "token", Cost[]> = { direct: [], token: [] };
  const measure = async (label: "direct" | "token", mark: string): Promise<Cost> => {
    const { pid } = label === "direct" ? direct : byToken;
    const before = { worker: cpuSecondsOf(pid).all, server: cpuSecondsOf(server.pid).own };
    const startedMs = performance.now();
    const job = await createJob(client, {
      ...{ input_videos: links, worker_labels: label, variants_per_video: 2 },
      ...{ captions_enabled: true, custom_captions: [`${mark} one`, `${mark} two`] },
    });
    while (!(await hasEnded(client, job.id))) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const seconds = (performance.now() - startedMs) / 1_000;
    const { status, error_message: reason } = await readJob(client, job.id);
    if (status !== "Completed") throw new Error(`The job is ${status}: ${reason}`);
    return {
      seconds: seconds / VIDEOS,
      worker: (cpuSecondsOf(pid).all - before.worker) / VIDEOS,
      server: (cpuSecondsOf(server.pid).own - before.server) / VIDEOS,
    };
  };
  // Warms the source caches, because downloads are not compared.
  for (const label of ["direct", "token"] as const) await measure(label, "Warm");
  for (let run = 0; run < RUNS; run += 1) {
    // Captions differ between videos, to avoid the stream cache, but not between the two workers.
    for (const label of ["direct", "token"] as const) costs[label].push(await measure(label, `Run ${run}`));
  }
  for (const label of ["direct", "token"] as const) {
    const [seconds, worker, own] = (["seconds", "worker", "server"] as const).map((key) =>
      medianOf(costs[label].map((cost) => cost[key])).toFixed(3),
    );
    console.log(`${label}: ${seconds} s per video, ${worker} CPU s on the worker, ${own} on the server`);
  }
  const series = (key: keyof Cost, label: "direct" | "token") => costs[label].map((cost) => cost[key]);
  console.log(`by token / direct, time: ${describeRatio(series("seconds", "token"), series("seconds", "direct"))}`);
  console.log(
    `by token / direct, worker's CPU: ${describeRatio(series("worker", "token"), series("worker", "direct"))}`,
  );
} finally {
  await fleet.close();
}
