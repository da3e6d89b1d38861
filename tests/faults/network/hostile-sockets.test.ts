import { fork } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { countDescriptors } from "#tests/support/network/count-descriptors.ts";
import { isFullRun, testFault } from "#tests/support/faults/fault-rounds.ts";
import { type Fleet, openInstalledFleet } from "#tests/support/servers/fleet.ts";
import { type RedirectorProcess, startRedirectorProcess } from "#tests/support/twins/redirector.ts";

const ATTACKER = path.resolve(import.meta.dirname, "../../support/network/hostile-sockets.ts");
/** h2c upgrades, idle sockets and slow request headers. */
const CONNECTIONS = isFullRun ? [1_000, 2_000, 800] : [100, 200, 80];
const MAX_MS = 200;
const ASK_EVERY_MS = 20;
/** A shorter interval would slow down responses, because counting scans all of the machine's connections. */
const COUNT_EVERY_MS = 1_000;
/** Longer than the header timeout, after which the programs close such connections. */
const UNTIL_ENDED_MS = 60_000;

type Target = { name: string; pid: number; port: number; path: string; status: number };

let fleet: Fleet;
let redirector: RedirectorProcess;
const targets: Target[] = [];

beforeAll(async () => {
  fleet = await openInstalledFleet();
  const environment = { METRICS_PORT: "0" };
  const [server, worker] = await Promise.all([fleet.start("server"), fleet.start("worker", { environment })]);
  redirector = await startRedirectorProcess(path.join(fleet.folder, "redirector"));
  const health = { path: "/health", status: 200 };
  targets.push(
    { name: "server", pid: server.pid, port: Number(new URL(server.url).port), ...health },
    { name: "worker", pid: worker.pid, port: Number(new URL(worker.url).port), ...health },
    // The response for a domain that is not published.
    { name: "redirector", pid: redirector.pid, port: redirector.port, path: "/_clipmill/ask?domain=x", status: 404 },
  );
}, 180_000);

afterAll(async () => {
  await redirector?.stop();
  await fleet?.close();
}, 180_000);

testFault(
  {
    id: "hostile-sockets",
    fault: `one client opens 1,000 h2c upgrades, 2,000 idle sockets and 800 slow requests to the server, the worker and the redirector in turn (a tenth in the short form)`,
    expected:
      "other clients get a response within 200 ms throughout; open descriptors return to normal while the client stays connected",
    rounds: { short: 1, full: 5 },
    secondsPerRound: 240,
  },
  async () => {
    const figures: Record<string, number> = {};
    for (const target of targets) {
      const { maxDurationMs, maxDescriptors } = await attack(target);
      figures[`ms for the ${target.name}'s health check`] = maxDurationMs;
      figures[`extra descriptors in the ${target.name}`] = maxDescriptors;
    }
    return figures;
  },
);

async function attack(target: Target): Promise<{ maxDurationMs: number; maxDescriptors: number }> {
  await ask(target);
  const before = await descriptorsOf(target);
  const attacker = fork(ATTACKER, [target.port, ...CONNECTIONS].map(String));
  const exited = once(attacker, "exit");
  const opened = once(attacker, "message");
  const asking = new AbortController();
  const longest = askUntil(target, asking.signal);
  let most = before;
  try {
    await opened;
    most = await descriptorsOf(target);
    // The full run waits for the programs to close the connections; in the short form, the attacker disconnects.
    if (isFullRun) await waitUntilEnded(target, before);
  } finally {
    asking.abort();
    attacker.kill();
    await exited;
  }
  const maxDurationMs = await longest;
  await expect.poll(() => descriptorsOf(target)).toBeLessThanOrEqual(before);
  if (isFullRun) expect(maxDurationMs, `ms for the ${target.name}`).toBeLessThan(MAX_MS);
  return { maxDurationMs, maxDescriptors: most - before };
}

/** Returns the maximum in milliseconds. */
async function askUntil(target: Target, signal: AbortSignal): Promise<number> {
  let maxDurationMs = 0;
  while (!signal.aborted) {
    maxDurationMs = Math.max(maxDurationMs, await ask(target));
    await delay(ASK_EVERY_MS);
  }
  return maxDurationMs;
}

async function waitUntilEnded(target: Target, before: number): Promise<void> {
  const options = { timeout: UNTIL_ENDED_MS, interval: COUNT_EVERY_MS };
  await expect.poll(() => descriptorsOf(target), options).toBeLessThanOrEqual(before);
}

/** Uses a new connection from 127.0.0.1. Returns milliseconds. */
async function ask({ port, path: address, status }: Target): Promise<number> {
  const sentMs = performance.now();
  const sending = request({ host: "127.0.0.1", port, path: address, agent: false }).end();
  const [response] = (await once(sending, "response")) as [import("node:http").IncomingMessage];
  await response.toArray();
  expect(response.statusCode).toBe(status);
  return performance.now() - sentMs;
}

/** Excludes database connections. */
function descriptorsOf({ pid }: Target): Promise<number> {
  return countDescriptors(pid, Number(new URL(fleet.databaseUrl).port));
}
