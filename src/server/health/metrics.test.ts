import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Hono } from "hono";
import { sql } from "kysely";
import { pino } from "pino";
import { Registry } from "prom-client";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { registerWorker } from "#operations/fleet/register-worker.ts";
import { openTestDatabase } from "#tests/support/servers/databases/database.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { serveReadiness } from "./readiness.ts";
import type { ServerEnv } from "../server-context.ts";

const TOKEN = "a token for the metrics";

let server: TestServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function start(token: string | null, openDatabase = openTestDatabase): Promise<TestServer> {
  server = await startTestServer(undefined, { openDatabase, metrics: { registry: new Registry(), token } });
  return server;
}

async function readMetrics(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    expect.stringMatching(/^text\/plain;/),
  ]);
  return response.text();
}

describe("/metrics", () => {
  it("does not exist without a configured token", async () => {
    const { url } = await start(null);
    for (const authorization of ["", "Bearer ", "Bearer null", `Bearer ${TOKEN}`]) {
      expect((await fetch(`${url}/metrics`, { headers: { authorization } })).status).toBe(404);
    }
  });

  it("responds only to its token, not to an operator's session", async () => {
    const { url, client } = await start(TOKEN);
    const { data } = await client.auth.getSession();
    for (const token of ["", TOKEN.slice(1), `${TOKEN}x`, data.session!.access_token]) {
      const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
      expect([response.status, (await response.text()).includes("clipmill_")]).toEqual([401, false]);
    }
    await readMetrics(url);
  });

  it("counts requests by route pattern, method and class of status, never by address", async () => {
    const { url, client, context } = await start(TOKEN);
    await client.from("jobs").select();
    await fetch(`${url}/functions/v1/jobs?action=list`);
    await fetch(url + context.links.sign("/downloads/outputs/6b1f1f0e-0000-4000-8000-000000000000"));
    await fetch(`${url}/health`);
    await fetch(`${url}/health`, { method: "PROPFIND" });
    const metrics = await readMetrics(url);
    const count = "clipmill_http_request_duration_seconds_count";
    expect(metrics).toContain(`${count}{route="/auth/v1/token",method="POST",status="2xx"} 1`);
    expect(metrics).toContain(`${count}{route="/rest/v1/:table",method="GET",status="2xx"} 1`);
    expect(metrics).toContain(`${count}{route="/functions/v1/*",method="GET",status="4xx"} 1`);
    expect(metrics).toContain(`${count}{route="/downloads/outputs/:id",method="GET",status="4xx"} 1`);
    expect(metrics).toContain(`${count}{route="/health",method="GET",status="2xx"} 1`);
    expect(metrics).toMatch(/_count\{route="[^"]*",method="other",status="4xx"\} 1/);
    expect(metrics).not.toContain("6b1f1f0e");
    expect(metrics).not.toContain("PROPFIND");
  });

  it("counts the live connections that are open", async () => {
    const { url } = await start(TOKEN);
    expect(await readMetrics(url)).toContain("clipmill_open_sockets 0");
    const socket = new WebSocket(`${url.replace("http", "ws")}/realtime/v1/websocket?apikey=x&vsn=1.0.0`);
    await once(socket, "open");
    expect(await readMetrics(url)).toContain("clipmill_open_sockets 1");
    socket.close();
    await expect.poll(() => readMetrics(url)).toContain("clipmill_open_sockets 0");
  });
});

describe("the metrics of the queue", () => {
  it("count the live workers, and those that are claiming videos", async () => {
    const { url, context } = await start(TOKEN, openPostgresDatabase);
    const none = await readMetrics(url);
    expect(none).toContain('clipmill_workers{state="taking"} 0');
    for (const host of ["attic", "studio", "gone"]) {
      const worker = {
        id: randomUUID(),
        host,
        version: "1",
        media: { ffmpeg: "7.0", origin: "bundled" as const, missingLimits: [] },
        pid: 7,
        concurrency: 2,
        canDrain: true,
        labels: [],
      };
      await registerWorker(context, worker, { isAlone: false });
    }
    await context.db
      .updateTable("workers")
      .set({ pause_reasons: ["disk-full"] })
      .where("name", "=", "attic")
      .execute();
    await sql`update workers set beat_at = now() - interval '1 minute' where name = 'gone'`.execute(context.db);
    const metrics = await readMetrics(url);
    expect(metrics).toContain('clipmill_workers{state="taking"} 1');
    expect(metrics).toContain('clipmill_workers{state="paused"} 1');
  });

  it("count waiting, postponed and active tasks, and measure the longest wait", async () => {
    const started = await start(TOKEN, openPostgresDatabase);
    const { url, database } = started;
    expect(await readMetrics(url)).toContain('clipmill_queue_oldest_waiting_seconds{queue="videos"} 0');
    await started.create({
      input_videos: ["a", "b", "c", "d"].map((id) => `https://drive.google.com/file/d/${id}/view`),
    });
    const { rows } = await sql<{ id: string }>`select id from pgboss.job where name = 'videos'`.execute(database.db);
    const [old, postponed, active, ended] = rows.map((row) => row.id);
    const change = (set: ReturnType<typeof sql>, id: string | undefined) =>
      sql`update pgboss.job set ${set} where name = 'videos' and id = ${id}::uuid`.execute(database.db);
    const hourAgo = sql`now() - interval '1 hour'`;
    await change(sql`created_on = ${hourAgo}, start_after = ${hourAgo}`, old);
    await change(sql`state = 'retry', start_after = now() + interval '1 hour'`, postponed);
    await change(sql`state = 'active'`, active);
    await change(sql`state = 'failed'`, ended);
    await sql`insert into hosts (host, failures, failed_at, reason, cooling_since, cools_until, cooldown_seconds)
      values ('google-drive', 3, now(), 'Away.', now(), now(), 15)`.execute(database.db);
    await sql`update job_videos set waits_for = 'google-drive', waiting_since = now() where id = ${postponed}`.execute(
      database.db,
    );

    const metrics = await readMetrics(url);
    expect(metrics).toContain('clipmill_queue_tasks{queue="videos",state="waiting"} 1');
    expect(metrics).toContain('clipmill_queue_tasks{queue="videos",state="postponed"} 1');
    expect(metrics).toContain('clipmill_queue_tasks{queue="videos",state="active"} 1');
    expect(metrics).toContain('clipmill_queue_tasks{queue="captions",state="waiting"} 0');
    expect(metrics).toContain('clipmill_host_waiting_videos{host="google-drive"} 1');
    const oldest = /oldest_waiting_seconds\{queue="videos"\} ([\d.]+)/.exec(metrics)![1];
    expect(Number(oldest)).toBeGreaterThanOrEqual(3600);
    expect(Number(oldest)).toBeLessThan(3700);
  });
});

describe("/ready", () => {
  it("reports whether the database or the queue does not respond", async () => {
    const { url, database } = await start(TOKEN);
    expect(await readiness(url)).toEqual([200, { status: "ready", database: true, queue: true, disk: null }]);
    await sql`alter table pgboss.job rename to job_away`.execute(database.db);
    // The response is shared for one second.
    const notReady = { status: "not ready", database: true, queue: false, disk: null };
    await expect.poll(() => readiness(url), { timeout: 5_000 }).toEqual([503, notReady]);
    expect(await readMetrics(url)).not.toContain("clipmill_queue_tasks{");
    await sql`alter table pgboss.job_away rename to job`.execute(database.db);
    const ready = { status: "ready", database: true, queue: true, disk: null };
    await expect.poll(() => readiness(url), { timeout: 5_000 }).toEqual([200, ready]);
  });

  it("queries the database at most once a second", async () => {
    const { context } = await start(TOKEN);
    let asked = 0;
    const measure = () => {
      asked += 1;
      return context.queue.measure();
    };
    const app = new Hono<ServerEnv>().get(
      "/ready",
      serveReadiness({
        db: context.db,
        queue: { ...context.queue, measure },
        readDisk: () => "ok",
        log: pino({ level: "silent" }),
      }),
    );
    const responses = await Promise.all(Array.from({ length: 200 }, async () => app.request("/ready")));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(asked).toBeLessThanOrEqual(2);
  });

  it("times out on an unavailable database and a hanging queue", async () => {
    const { context } = await start(TOKEN);
    const gone = await openTestDatabase();
    await gone.close();
    const queue = { ...context.queue, measure: () => new Promise<never>(() => {}) };
    const app = new Hono<ServerEnv>().get(
      "/ready",
      serveReadiness({ db: gone.db, queue, readDisk: () => "full", log: pino({ level: "silent" }) }),
    );
    const response = await app.request("/ready");
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: "not ready", database: false, queue: false, disk: "full" },
    ]);
  });
});

async function readiness(url: string): Promise<[number, unknown]> {
  const response = await fetch(`${url}/ready`);
  return [response.status, await response.json()];
}
