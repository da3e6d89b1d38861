/**
 * The redirector: throughput compared with nginx on one core, 100 routes compared with 100,000, publishes under load,
 * and memory. Responses per CPU second are comparable even on a busy machine.
 */
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { once } from "node:events";
import {
  documentOf,
  publish,
  routeOf,
  type RedirectorProcess,
  startRedirectorProcess,
  visit,
} from "#tests/support/twins/redirector.ts";
import {
  childrenOf,
  cpuSecondsOf,
  FASTEST_CLIENT,
  load,
  megabytesOf,
  pinToServerCore,
  saturate,
  startPinned,
} from "../support/redirector-load.ts";
import { clipSeconds, describeMachine, describeRatio, openBenchFolder, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";

const ROUTES_AGAINST_NGINX = 1_000;
const FEW_ROUTES = 100;
const MANY_ROUTES = 100_000;
const NGINX = "nginx";
const NGINX_PORT = 18_399;
const SECONDS = clipSeconds(4);
const REQUESTS = 2_000;
const PAIRS = RUNS * 4;

console.log(describeMachine());
await using folder = await openBenchFolder();
await compareWithNginx();
await compareFewAndMany();

async function startWith(name: string, routes: number): Promise<RedirectorProcess> {
  const redirector = await startRedirectorProcess(folder.file(name), { LOG_LEVEL: "warn" });
  pinToServerCore(redirector.pid);
  const emptyMegabytes = megabytesOf(redirector.pid);
  const startedMs = performance.now();
  const { status } = await publish(redirector, documentOf(1, routesOf(routes)));
  if (status !== 200) throw new Error(`The publish failed with status ${status}.`);
  const ms = Math.round(performance.now() - startedMs);
  const [empty, filled] = [emptyMegabytes, megabytesOf(redirector.pid)].map((each) => each.toFixed(0));
  console.log(
    `${routes.toLocaleString("en")} routes: published in ${ms} ms; memory ${empty} MB before, ${filled} MB after`,
  );
  return redirector;
}

function routesOf(count: number) {
  return Array.from({ length: count }, (_, i) => routeOf(i));
}

async function compareWithNginx(): Promise<void> {
  if (spawnSync(NGINX, ["-v"]).status !== 0) {
    console.log("nginx is not installed. Skipping the comparison.");
    return;
  }
  const redirector = await startWith("against-nginx", ROUTES_AGAINST_NGINX);
  await writeFile(folder.file("nginx.conf"), nginxConfiguration());
  const nginx = startPinned(NGINX, ["-c", folder.file("nginx.conf")]);
  const path = `/slug-${ROUTES_AGAINST_NGINX / 2}`;
  await until(async () => (await visit({ port: NGINX_PORT }, "shop.test", path)).status === 302);
  const nginxPid = childrenOf(nginx.pid!)[0] ?? nginx.pid!;
  const wall: [number[], number[]] = [[], []];
  const cpu: [number[], number[]] = [[], []];
  for (let run = 0; run <= RUNS; run += 1) {
    for (const [i, { port, pid }] of [redirector, { port: NGINX_PORT, pid: nginxPid }].entries()) {
      const before = cpuSecondsOf(pid);
      const { responses, seconds, failed } = await saturate(port, path, SECONDS);
      if (failed > 0) throw new Error("Requests failed.");
      // The first run warms up.
      if (run === 0) continue;
      wall[i]!.push(responses / seconds);
      cpu[i]!.push(responses / (cpuSecondsOf(pid) - before));
    }
  }
  nginx.kill("SIGTERM");
  await nginx;
  await redirector.stop();
  const [ours, theirs] = wall.map((each) => Math.round(medianOf(each)).toLocaleString("en"));
  const [oursCpu, theirsCpu] = cpu.map((each) => Math.round(medianOf(each)).toLocaleString("en"));
  console.log(`client: ${FASTEST_CLIENT}, 32 connections`);
  console.log(`responses per second: ${ours}, nginx ${theirs}; per CPU second: ${oursCpu}, nginx ${theirsCpu}`);
  console.log(`responses per second / nginx: ${describeRatio(wall[0], wall[1], { atLeast: 0.5 })}`);
  console.log(`responses per CPU second / nginx: ${describeRatio(cpu[0], cpu[1], { atLeast: 0.5 })}`);
}

/** Uses one process and an uncacheable redirect, like the redirector. */
function nginxConfiguration(): string {
  const map = routesOf(ROUTES_AGAINST_NGINX).map(({ slug, primary }) => `"shop.test/${slug}" "${primary}";`);
  return `
worker_processes 1; daemon off; pid ${folder.file("nginx.pid")}; error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off; server_tokens off; keepalive_requests 100000000;
  map_hash_max_size 65536; map_hash_bucket_size 256;
  map "$host$uri" $target { default ""; ${map.join("\n")} }
  server {
    listen 127.0.0.1:${NGINX_PORT};
    location / { if ($target = "") { return 404; } add_header cache-control no-store always; return 302 $target$is_args$args; }
  }
}`;
}

async function compareFewAndMany(): Promise<void> {
  const few = await startWith("few", FEW_ROUTES);
  const many = await startWith("many", MANY_ROUTES);
  const times: [number[], number[]] = [[], []];
  for (let pair = 0; pair <= PAIRS; pair += 1) {
    for (const [i, [redirector, count]] of (
      [
        [few, FEW_ROUTES],
        [many, MANY_ROUTES],
      ] as const
    ).entries()) {
      const median = await medianMicroseconds(redirector.port, count);
      if (pair > 0) times[i]!.push(median);
    }
  }
  const [a, b] = times.map((each) => medianOf(each).toFixed(0));
  console.log(
    `median redirect latency, ${FEW_ROUTES} routes: ${a} µs; ${MANY_ROUTES.toLocaleString("en")} routes: ${b} µs`,
  );
  console.log(`many routes / few, in pairs: ${describeRatio(times[1], times[0])}`);
  await publishUnderLoad(many);
  await few.stop();
  await many.stop();
}

/** Requests are sequential, over one connection, and spread over the whole table. */
async function medianMicroseconds(port: number, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i += 1) {
    const path = `/slug-${(i * 7_919) % count}`;
    const startedMs = performance.now();
    const sent = request({ host: "127.0.0.1", port, path, agent, headers: { host: "shop.test" } });
    sent.end();
    const [response] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
    response.resume();
    await once(response, "end");
    times.push((performance.now() - startedMs) * 1000);
    if (response.statusCode !== 302) throw new Error(`Unexpected status ${response.statusCode}.`);
  }
  agent.destroy();
  return medianOf(times);
}

async function publishUnderLoad(redirector: RedirectorProcess): Promise<void> {
  const quiet = await load(redirector.port, "/slug-1", SECONDS * 2);
  const over = new AbortController();
  const loading = load(redirector.port, "/slug-1", SECONDS * 2).finally(() => over.abort());
  let publishes = 0;
  while (!over.signal.aborted) {
    const { status } = await publish(redirector, documentOf(publishes + 2, routesOf(MANY_ROUTES)));
    if (status !== 200) throw new Error(`The publish failed with status ${status}.`);
    publishes += 1;
  }
  const { responses, failed, maxMs } = await loading;
  console.log(
    `${publishes} publishes of ${MANY_ROUTES.toLocaleString("en")} routes under load: ${failed} of ` +
      `${(responses + failed).toLocaleString("en")} requests failed; longest wait ${maxMs} ms, without publishes ${quiet.maxMs} ms; ` +
      `memory ${megabytesOf(redirector.pid).toFixed(0)} MB`,
  );
}

async function until(isReady: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 100; i += 1) {
    if (await isReady().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("nginx does not respond.");
}
