/**
 * 200 sockets and 50 updates per second on PostgreSQL: latency from commit to frame, and memory growth of the server.
 */
import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";
import { startPostgres } from "#tests/support/servers/databases/postgres.ts";
import { openDatabase } from "#database/open-database.ts";
import { migrate } from "#database/migrate.ts";
import { startTestServer } from "#tests/support/servers/server.ts";

const SOCKETS = 200;
const UPDATES_PER_SECOND = 50;
const SECONDS = Number(process.argv[2] ?? 30);

const postgres = await startPostgres();
const server = await startTestServer(undefined, {
  openDatabase: async () => {
    const database = await openDatabase({ databaseUrl: postgres.urlOf("postgres"), dataDir: null });
    await migrate(database.db);
    return database;
  },
});
const { db } = server.context;
const jobs = await Promise.all(
  Array.from({ length: UPDATES_PER_SECOND }, (_, i) => server.create({ job_name: `${i}` })),
);
const token = (await server.client.auth.getSession()).data.session!.access_token;

/** By job and progress. */
const commits = new Map<string, number>();
const delays: number[] = [];
let frames = 0;
const sockets = await Promise.all(Array.from({ length: SOCKETS }, openSocket));
const before = process.memoryUsage().rss;
console.log(`${SOCKETS} sockets, ${UPDATES_PER_SECOND} updates per second, ${SECONDS} s.`);
for (let second = 1; second <= SECONDS; second += 1) {
  const from = performance.now();
  for (const [i, job] of jobs.entries()) {
    await wait(Math.max(0, from + (i * 1000) / UPDATES_PER_SECOND - performance.now()));
    const progress = second / 10;
    await db.updateTable("jobs").set({ progress }).where("id", "=", job.id).execute();
    commits.set(`${job.id} ${progress}`, performance.now());
  }
  await wait(Math.max(0, from + 1000 - performance.now()));
  if (second % 10 === 0)
    console.log(`after ${second} s: memory grew by ${toMegabytes(process.memoryUsage().rss - before)} MB`);
}
await wait(1_000);
for (const socket of sockets) socket.close();
await server.close();
await postgres.stop();
const sorted = delays.toSorted((a, b) => a - b);
const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!.toFixed(1);
const wanted = SOCKETS * UPDATES_PER_SECOND * SECONDS;
console.log(`commit to frame: median ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`);
console.log(`frames: ${frames.toLocaleString("en")} of ${wanted.toLocaleString("en")}`);

async function openSocket(): Promise<WebSocket> {
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/realtime/v1/websocket?vsn=2.0.0`);
  const joined = new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.on("message", (text: Buffer) => {
      const now = performance.now();
      const [, , , event, payload] = JSON.parse(text.toString()) as [0, 0, 0, string, Payload];
      if (event === "system") resolve();
      if (event !== "postgres_changes") return;
      frames += 1;
      const committed = commits.get(`${payload.data.record.id} ${payload.data.record.progress}`);
      // The frame may arrive before the commit returns.
      delays.push(committed === undefined ? 0 : now - committed);
    });
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const config = { postgres_changes: [{ event: "UPDATE", schema: "public", table: "jobs" }] };
  socket.send(JSON.stringify(["1", "1", "realtime:bench", "phx_join", { config, access_token: token }]));
  await joined;
  return socket;
}

type Payload = { data: { record: { id: string; progress: number } } };

function toMegabytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(0);
}
