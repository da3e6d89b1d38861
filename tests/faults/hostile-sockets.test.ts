/** Connections of one stranger that ask for another protocol, say nothing, or never end their head. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { request } from "node:http";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { isFullRun, testFault } from "#tests/support/fault-rounds.ts";
import { type Fleet, openFleet } from "#tests/support/fleet.ts";
import { type RedirectorProcess, startRedirectorProcess } from "#tests/support/redirector.ts";

const ATTACKER = path.resolve(import.meta.dirname, "../support/hostile-sockets.ts");
/** Upgrades to h2c, idle sockets and slow heads. */
const CONNECTIONS = isFullRun ? [1_000, 2_000, 800] : [100, 200, 80];
const MOST_MS = 200;
const ASK_EVERY_MS = 20;
/** Somewhat more than a head may take, after which the programs end such connections themselves. */
const UNTIL_ENDED_MS = 60_000;

type Target = { name: string; pid: number; port: number; path: string; status: number };

let fleet: Fleet;
let redirector: RedirectorProcess;
const targets: Target[] = [];

beforeAll(async () => {
  fleet = await openFleet();
  const environment = { METRICS_PORT: "0" };
  const [server, worker] = await Promise.all([fleet.start("server"), fleet.start("worker", { environment })]);
  redirector = await startRedirectorProcess(path.join(fleet.folder, "redirector"));
  const health = { path: "/health", status: 200 };
  targets.push(
    { name: "server", pid: server.pid, port: Number(new URL(server.url).port), ...health },
    { name: "worker", pid: worker.pid, port: Number(new URL(worker.url).port), ...health },
    // Its answer about a domain that nobody published.
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
    fault: `1,000 upgrades to h2c, 2,000 idle sockets and 800 slow heads of one stranger (a tenth in the short form), on the server, the worker and the redirector in turn`,
    expected:
      "others are answered within 200 ms throughout; descriptors return to where they were, while the stranger holds on",
    rounds: { short: 1, full: 5 },
    secondsPerRound: 240,
  },
  async () => {
    const figures: Record<string, number> = {};
    for (const target of targets) {
      const { longestMs, mostDescriptors } = await attack(target);
      figures[`ms for the ${target.name}'s health`] = longestMs;
      figures[`descriptors of the ${target.name} more`] = mostDescriptors;
    }
    return figures;
  },
);

async function attack(target: Target): Promise<{ longestMs: number; mostDescriptors: number }> {
  await ask(target);
  const before = await countDescriptors(target.pid);
  const attacker = fork(ATTACKER, [target.port, ...CONNECTIONS].map(String));
  const gone = once(attacker, "exit");
  let isOpen = false;
  attacker.once("message", () => (isOpen = true));
  const startedMs = performance.now();
  let longestMs = 0;
  let most = before;
  let now = before;
  // In the short form the stranger leaves; else the programs have to end its connections themselves.
  const isOver = (): boolean => isOpen && (!isFullRun || now <= before);
  try {
    while (!isOver()) {
      longestMs = Math.max(longestMs, await ask(target));
      now = await countDescriptors(target.pid);
      most = Math.max(most, now);
      if (performance.now() - startedMs > UNTIL_ENDED_MS)
        throw new Error(`${now - before} descriptors are still open.`);
      await delay(ASK_EVERY_MS);
    }
  } finally {
    attacker.kill();
    await gone;
  }
  await expect.poll(() => countDescriptors(target.pid)).toBeLessThanOrEqual(before);
  if (isFullRun) expect(longestMs).toBeLessThan(MOST_MS);
  return { longestMs, mostDescriptors: most - before };
}

/** Asks from 127.0.0.1 on a connection of its own. Returns how long that took, in milliseconds. */
async function ask({ port, path: address, status }: Target): Promise<number> {
  const askedMs = performance.now();
  const asking = request({ host: "127.0.0.1", port, path: address, agent: false }).end();
  const [answer] = (await once(asking, "response")) as [import("node:http").IncomingMessage];
  await answer.toArray();
  expect(answer.statusCode).toBe(status);
  return performance.now() - askedMs;
}

async function countDescriptors(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}
