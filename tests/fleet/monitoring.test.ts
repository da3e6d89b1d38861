/** Health, readiness, metrics and the trace of a real job, which is delivered and reported to a webhook. */
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { openDatabase } from "#database/open-database.ts";
import type { Job, JobOutput } from "#contract/jobs/jobs.ts";
import { hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { runProgramToItsEnd } from "#tests/support/servers/clipmill-process.ts";
import { rowsOf } from "#tests/support/faults/fault-job.ts";
import { type Fleet, type FleetProgram, openInstalledFleet } from "#tests/support/servers/fleet.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { type OtlpCollector, type ReceivedSpan, startOtlpCollector } from "#tests/support/twins/otlp-collector.ts";
import { startWebhookReceiver, type WebhookReceiver } from "#tests/support/twins/webhook-receiver.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { findAbsent, readSeries } from "#tests/support/scraped-series.ts";

/** Starting whole programs is slow on a busy machine. */
const LONG_TIMEOUT = { timeout: 120_000 };
const TOKEN = "a token for the metrics";

let fleet: Fleet;
let twin: DriveTwin;
let collector: OtlpCollector;
let receiver: WebhookReceiver;
let server: FleetProgram;
let worker: FleetProgram;
let client: SupabaseClient;

beforeAll(async () => {
  [twin, collector, receiver] = await Promise.all([startDriveTwin(), startOtlpCollector(), startWebhookReceiver()]);
  const environment = {
    ...twin.environment,
    ALLOW_PRIVATE_WEBHOOKS: receiver.authority,
    METRICS_PORT: "0",
    METRICS_TOKEN: TOKEN,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer of-the-collector",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  };
  fleet = await openInstalledFleet(environment);
  [server, worker] = await Promise.all([fleet.start("server"), fleet.start("worker")]);
  client = await signedInClient(server.url);
}, 180_000);
afterAll(async () => {
  await fleet?.close();
  await twin?.close();
  await collector?.close();
  await receiver?.close();
});

/** Of an imagined caller of the API. */
const CALLER = { trace: "0af7651916cd43dd8448eb211c80319c", span: "b7ad6b7169203331" };

async function call<Data>(name: string, body: Record<string, unknown>, headers: Record<string, string> = {}) {
  const { data, error } = await client.functions.invoke<{ data: Data }>(name, { body, headers });
  if (error) throw error;
  return data!.data;
}

async function ask(address: string, token?: string): Promise<{ status: number; text: string }> {
  const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(worker.url + address, { headers });
  return { status: response.status, text: await response.text() };
}

async function readReady(): Promise<Record<string, unknown>> {
  const { status, text } = await ask("/ready");
  return { status, body: JSON.parse(text) as unknown };
}

async function readFigures(): Promise<Map<string, number>> {
  const { status, text } = await ask("/metrics", TOKEN);
  expect(status).toBe(200);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

const ready = { status: "ready", database: true, claiming: true, pauseReasons: [], disk: expect.any(String) };

it("counts outputs and failed attempts of a job, and returns metrics only with the token", LONG_TIMEOUT, async () => {
  const file = path.join(fleet.folder, "clip.mp4");
  await makeClip(file, { width: 216, height: 384, seconds: 2 });
  twin.add({ id: "clip", path: file, name: "clip.mp4", mimeType: "video/mp4" });
  const destination = await call<{ id: string }>("destinations", {
    action: "create",
    ...{ kind: "folder", place: "deliveries", name: "NAS" },
  });
  await call("webhooks", { url: `${receiver.url}/hook`, events: ["job.completed"] });
  const request = {
    job_name: "A job",
    input_videos: [twin.links("clip"), "nonsense"],
    variants_per_video: 2,
    captions_enabled: true,
    custom_captions: ["One", "Two"],
    destinations: [destination.id],
  };
  const job = await call<Job>("jobs", request, { traceparent: `00-${CALLER.trace}-${CALLER.span}-01` });
  await expect.poll(() => hasEnded(client, job.id), LONG_TIMEOUT).toBe(true);
  expect((await readJob(client, job.id)).status).toBe("Completed");
  const outputs = await rowsOf<JobOutput>(client, "job_outputs", job.id);
  const stored = outputs.filter((output) => output.status === "Completed");
  expect(stored).toHaveLength(2);

  const bytes = stored.reduce((sum, output) => sum + output.size_bytes!, 0);
  const counted = {
    'clipmill_videos_ended_total{result="Completed"}': 1,
    'clipmill_videos_ended_total{result="Failed"}': 1,
    'clipmill_videos_ended_total{result="Cancelled"}': 0,
    'clipmill_attempts_failed_total{reason="bad_link"}': 1,
    clipmill_outputs_stored_total: 2,
    clipmill_output_bytes_stored_total: bytes,
  };
  // The job is marked as ended shortly before its last video is counted.
  await expect.poll(async () => Object.fromEntries(await readFigures())).toMatchObject(counted);
  const figures = await readFigures();
  expect(figures.get("clipmill_output_media_seconds_total")).toBeCloseTo(4, 0);
  expect(figures.get("clipmill_render_seconds_total")).toBeGreaterThan(0);
  expect(figures.get("process_resident_memory_bytes")).toBeGreaterThan(1e7);
  // Queue metrics cover the whole fleet; servers return them.
  expect([...figures.keys()].filter((name) => name.startsWith("clipmill_queue"))).toEqual([]);

  for (const wrong of [undefined, `${TOKEN}x`]) {
    const { status, text } = await ask("/metrics", wrong);
    expect([status, text.includes("clipmill_")]).toEqual([401, false]);
  }
  expect((await ask("/functions/v1/jobs")).status).toBe(404);
});

it("stays ready while the queue is paused and reports the reason", LONG_TIMEOUT, async () => {
  expect(await ask("/health")).toEqual({ status: 200, text: '{"status":"ok"}' });
  expect(await readReady()).toEqual({ status: 200, body: ready });
  await client.functions.invoke("system", { body: { action: "pause-queue" } });
  const paused = { ...ready, claiming: false, pauseReasons: ["queue-paused"] };
  await expect.poll(readReady, { timeout: 10_000 }).toEqual({ status: 200, body: paused });
  await client.functions.invoke("system", { body: { action: "resume-queue" } });
  await expect.poll(readReady, { timeout: 10_000 }).toEqual({ status: 200, body: ready });
});

it("names the port in use and claims no video", LONG_TIMEOUT, async () => {
  const { port } = new URL(worker.url);
  const environment = { ...fleet.environment, METRICS_PORT: port };
  const { code, stderr } = await runProgramToItsEnd("worker", path.join(fleet.folder, "second"), environment);
  const sentence = `Port ${port} on 127.0.0.1 is in use by another program; set METRICS_PORT to another one.`;
  expect([code, stderr.trim().split("\n").at(-1)]).toEqual([1, sentence]);
  expect(stderr).not.toContain("the worker joined the fleet");
});

it("is not ready while the database is down, still returns metrics, and recovers", LONG_TIMEOUT, async () => {
  await fleet.haltDatabase();
  const away = { ...ready, status: "not ready", database: false, claiming: false };
  await expect
    .poll(readReady, { timeout: 30_000 })
    .toEqual({ status: 503, body: { ...away, pauseReasons: expect.any(Array) } });
  expect((await readFigures()).get("clipmill_outputs_stored_total")).toBe(2);
  expect((await ask("/health")).status).toBe(200);
  expect((await client.from("jobs").select("id")).status).toBe(503);
  await fleet.resumeDatabase();
  await expect.poll(readReady, { timeout: 60_000 }).toEqual({ status: 200, body: ready });
});

it("has all metrics that the dashboard and the alerts use", LONG_TIMEOUT, async () => {
  const database = await openDatabase({ databaseUrl: fleet.databaseUrl, dataDir: null });
  await sql`insert into hosts (host, failures, failed_at, reason, cooling_since, cools_until, cooldown_seconds)
    values ('google-drive', 3, now(), 'Away.', now(), now() + interval '1 hour', 3600)`.execute(database.db);
  await database.close();
  const authorization = `Bearer ${TOKEN}`;
  const scrapes = await Promise.all(
    [server, worker].map(async ({ url }) => (await fetch(`${url}/metrics`, { headers: { authorization } })).text()),
  );
  const series = scrapes.flatMap(readSeries);
  const { groups } = parse(readFileSync("deploy/monitoring/alerts.yaml", "utf8")) as {
    groups: { rules: { alert: string; expr: string; annotations: { runbook: string } }[] }[];
  };
  const rules = groups.flatMap(({ rules }) => rules);
  const { panels } = JSON.parse(readFileSync("deploy/monitoring/dashboard.json", "utf8")) as {
    panels: { title: string; type: string; targets?: { expr: string }[] }[];
  };
  const charts = panels.filter(({ type }) => type !== "row");
  expect([rules.length, charts.length]).toEqual([9, 23]);
  const absent = [
    ...rules.map(({ alert, expr }) => ({ of: alert, absent: findAbsent(expr, series) })),
    ...charts.flatMap(({ title, targets }) =>
      targets!.map(({ expr }) => ({ of: title, absent: findAbsent(expr, series) })),
    ),
  ];
  expect(absent.filter((one) => one.absent.length > 0)).toEqual([]);
  expect(findAbsent('sum by (why) (clipmill_workers{state="gone"})', series)).toEqual([
    'clipmill_workers{state="gone"}',
    "why",
  ]);
  for (const { alert, annotations } of rules) {
    const [page, heading] = annotations.runbook.split("#") as [string, string?];
    const headings = [...readFileSync(page, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, text]) =>
      text!
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    );
    expect([alert, heading === undefined || headings.includes(heading)]).toEqual([alert, true]);
  }
});

function writeBigInt(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** Returns the names from the trace's first span to this one. */
function pathOf(span: ReceivedSpan, spans: readonly ReceivedSpan[]): string {
  const parent = spans.find(({ spanId }) => spanId === span.parentId);
  return parent ? `${pathOf(parent, spans)} > ${span.name}` : span.name;
}

it("sends one complete trace, from the request to the last file and webhook", LONG_TIMEOUT, async () => {
  await expect.poll(() => receiver.received.length).toBe(1);
  // Stopping sends what has not been sent yet.
  await Promise.all([server.stop(), worker.stop()]);
  const spans = collector.spans.filter(({ traceId }) => traceId === CALLER.trace);
  await mkdir("test-results", { recursive: true });
  const inOrder = spans.toSorted((a, b) => Number(a.startedNs - b.startedNs));
  await writeFile("test-results/trace.json", JSON.stringify(inOrder, writeBigInt, 2));
  const counted = Object.groupBy(spans, (span) => pathOf(span, spans));
  const created = "POST /functions/v1/jobs > create job";
  const attempt = `${created} > video attempt`;
  const render = `${attempt} > render`;
  const finalized = `${attempt} > report > finalize`;
  const delivery = `${finalized} > delivery attempt`;
  expect(Object.fromEntries(Object.entries(counted).map(([path, all]) => [path, all!.length]))).toEqual({
    "POST /functions/v1/jobs": 1,
    [created]: 1,
    [`${created} > queue wait`]: 2,
    [attempt]: 2,
    [`${attempt} > fetch`]: 2,
    [`${attempt} > probe`]: 1,
    [`${attempt} > plan`]: 1,
    [render]: 1,
    [`${render} > draw`]: 1,
    [`${render} > encode`]: 1,
    [`${render} > sound`]: 1,
    [`${render} > mux`]: 2,
    [`${render} > store`]: 2,
    [`${attempt} > report`]: 2,
    [finalized]: 1,
    // For the delivery and the webhook.
    [`${finalized} > queue wait`]: 2,
    [delivery]: 1,
    [`${delivery} > send`]: 2,
    [`${delivery} > send manifests`]: 1,
    [`${delivery} > report`]: 1,
    [`${finalized} > webhook attempt`]: 1,
  });
  const root = spans.find(({ parentId }) => parentId === CALLER.span);
  expect(root).toMatchObject({ service: "clipmill-server", kind: "server" });
  expect(root!.facts).toMatchObject({ "http.route": "/functions/v1/jobs", "http.response.status_code": 200 });
  // All parents arrived, so none was left open.
  const ids = new Set([CALLER.span, ...spans.map(({ spanId }) => spanId)]);
  expect(spans.filter(({ parentId }) => parentId === null || !ids.has(parentId))).toEqual([]);
  expect(spans.filter(({ startedNs, endedNs }) => endedNs < startedNs)).toEqual([]);
  const attempts = spans.filter(({ name }) => name.endsWith("attempt"));
  expect(attempts.map(({ service, name }) => `${service}: ${name}`).toSorted()).toEqual([
    "clipmill-server: webhook attempt",
    "clipmill-worker: delivery attempt",
    "clipmill-worker: video attempt",
    "clipmill-worker: video attempt",
  ]);
  const failed = spans.filter(({ isError }) => isError).map(({ name, facts }) => `${name}: ${facts.error_code}`);
  expect(failed.toSorted()).toEqual(["fetch: bad_link", "video attempt: bad_link"]);
  const sent = collector.bytes().toString("latin1");
  for (const secret of [twin.links("clip"), "nonsense", "A job", receiver.url, TOKEN, "of-the-collector"]) {
    expect(sent).not.toContain(secret);
  }
  expect(sent).toContain("deployment.environment.name");
  expect(new Set(collector.headers.map(({ authorization }) => authorization))).toEqual(
    new Set(["Bearer of-the-collector"]),
  );
});
