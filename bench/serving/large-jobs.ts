/**
 * Four jobs of the maximum size compared with four small ones: the list, the dashboard, live updates, and the latency
 * of /health meanwhile. Targets: at most 1.5 times as long, and 100 ms.
 */
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { sql } from "kysely";
import { WebSocket } from "ws";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import { largestJob } from "#tests/support/jobs/largest-job.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { medianOf } from "../support/times.ts";

const JOBS = 4;
const ROUNDS = Number(process.argv[2] ?? 60);
const VARIANTS = 10;
const MAX_TIMES = 1.5;
const MAX_HEALTH_MS = 100;
/** Longer than the interval of progress notices, so that each update gets its own. */
const PROGRESS_MS = 500;

type Side = {
  server: TestServer;
  ids: string[];
  headers: Record<string, string>;
  /** Resolves with the time of the next live update. */
  nextUpdate: () => Promise<number>;
  close: () => Promise<void>;
};

{
  const small = await openSide((name) => ({
    job_name: name,
    input_videos: ["https://drive.google.com/file/d/a/view"],
  }));
  const large = await openSide(largestJob);
  const health = await watchHealth(large.server.url);
  const times = new Map<string, { small: number[]; large: number[] }>();
  for (let round = -5; round < ROUNDS; round += 1) {
    for (const [name, measure] of Object.entries({ list, dashboard, "live update": liveUpdate })) {
      const figures = times.get(name) ?? { small: [], large: [] };
      times.set(name, figures);
      // Back to back, so that a busy machine affects both.
      const [smallMs, largeMs] = [await measure(small, round), await measure(large, round)];
      if (round < 0) continue;
      figures.small.push(smallMs);
      figures.large.push(largeMs);
    }
    await wait(PROGRESS_MS / JOBS);
  }
  const longest = await health.stop();
  console.log(`${JOBS} jobs of the maximum size compared with ${JOBS} small ones, ${ROUNDS} rounds`);
  for (const [name, figures] of times) {
    const [smallMs, largeMs] = [medianOf(figures.small), medianOf(figures.large)];
    const verdict = largeMs <= MAX_TIMES * smallMs ? "within" : "OVER";
    const ratio = (largeMs / smallMs).toFixed(2);
    console.log(
      `  ${name.padEnd(12)} ${smallMs.toFixed(1)} ms, ${largeMs.toFixed(1)} ms, ratio ${ratio}, ${verdict} ${MAX_TIMES}`,
    );
  }
  const verdict = longest.ms <= MAX_HEALTH_MS ? "within" : "OVER";
  console.log(
    `  /health      max ${longest.ms.toFixed(0)} ms of ${longest.calls} calls, ${verdict} ${MAX_HEALTH_MS} ms`,
  );
  await small.close();
  await large.close();
}
// The test server of PostgreSQL would keep this process alive.
process.exit();

async function list({ server, headers }: Side): Promise<number> {
  return timeCall(`${server.url}/functions/v1/jobs?action=list&page=1&limit=10`, headers);
}

async function dashboard({ server, headers }: Side): Promise<number> {
  return timeCall(`${server.url}/functions/v1/jobs?action=dashboard`, headers);
}

async function timeCall(url: string, headers: Record<string, string>): Promise<number> {
  const from = performance.now();
  const response = await fetch(url, { headers });
  const { jobs } = (await response.json()) as { jobs: unknown[] };
  if (jobs.length !== JOBS) throw new Error(`${url} returned ${response.status} with ${jobs.length} jobs`);
  return performance.now() - from;
}

/** From before the write until the client receives the frame. */
async function liveUpdate({ server, ids, nextUpdate }: Side, round: number): Promise<number> {
  const update = nextUpdate();
  const from = performance.now();
  await server.context.db
    .updateTable("jobs")
    .set({ progress: (round + 10) / 10 })
    .where("id", "=", ids.at(round % JOBS)!)
    .execute();
  return (await update) - from;
}

async function openSide(requestOf: (name: string) => CreateJobRequest): Promise<Side> {
  const server = await startTestServer();
  const ids: string[] = [];
  for (let i = 0; i < JOBS; i += 1) ids.push((await server.create(requestOf(`Job ${i}`))).id);
  const { db } = server.context;
  await sql`update job_videos set status = 'Completed' where position % 2 = 0`.execute(db);
  await sql`insert into job_outputs (job_id, video_id, variant, segment, name, status)
    select job_id, id, variant, 0, 'video-' || position || '-' || variant || '.mp4', status
    from job_videos, generate_series(0, ${VARIANTS}::int - 1) as variant`.execute(db);
  await sql`update jobs set status = 'Processing'`.execute(db);
  await sql`analyze`.execute(db);
  const token = (await server.client.auth.getSession()).data.session!.access_token;
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/realtime/v1/websocket?vsn=2.0.0`);
  await once(socket, "open");
  const joined = Promise.withResolvers<void>();
  let update = Promise.withResolvers<number>();
  socket.on("message", (text: Buffer) => {
    const [, , , event] = JSON.parse(text.toString()) as [0, 0, 0, string];
    if (event === "system") joined.resolve();
    if (event === "postgres_changes") update.resolve(performance.now());
  });
  const config = { postgres_changes: [{ event: "UPDATE", schema: "public", table: "jobs" }] };
  socket.send(JSON.stringify(["1", "1", "realtime:bench", "phx_join", { config, access_token: token }]));
  await joined.promise;
  const heartbeat = setInterval(() => {
    socket.send(JSON.stringify([null, "1", "phoenix", "heartbeat", {}]));
  }, 25_000);
  return {
    server,
    ids,
    headers: { authorization: `Bearer ${token}` },
    nextUpdate: () => (update = Promise.withResolvers<number>()).promise,
    async close() {
      clearInterval(heartbeat);
      socket.close();
      await server.close();
    },
  };
}

/** Uses its own thread, which this one cannot delay. */
async function watchHealth(url: string): Promise<{ stop: () => Promise<{ ms: number; calls: number }> }> {
  const code = `
    const { parentPort, workerData } = require("node:worker_threads");
    let isOver = false;
    parentPort.once("message", () => (isOver = true));
    (async () => {
      let [ms, calls] = [0, 0];
      for (; !isOver; calls += 1) {
        const from = performance.now();
        await (await fetch(workerData + "/health")).text();
        // The first calls open the connection.
        if (calls === 5) parentPort.postMessage("ready");
        if (calls > 5) ms = Math.max(ms, performance.now() - from);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      parentPort.postMessage({ ms, calls });
    })();`;
  const worker = new Worker(code, { eval: true, workerData: url });
  await once(worker, "message");
  return {
    async stop() {
      worker.postMessage("stop", []);
      const [longest] = (await once(worker, "message")) as [{ ms: number; calls: number }];
      await worker.terminate();
      return longest;
    },
  };
}
