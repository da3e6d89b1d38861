import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import type { PreflightResponse } from "#contract/sources/preflight.ts";
import { isFullRun, testFault } from "#tests/support/faults/fault-rounds.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { countDescriptors } from "#tests/support/network/count-descriptors.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { baseUrlsOf } from "#tests/support/test-context.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";

const CHECKS = isFullRun ? 1_000 : 56;
const LINKS_PER_CALL = 100;
const NO_POOL = 0;
/** Of the tests' own client and of the twin. */
const MAX_IDLE = 15;
/** Idle connections are closed after a few seconds. */
const UNTIL_IDLE_MS = 60_000;
const BEHAVIORS = [
  { kind: "normal" },
  { kind: "notShared" },
  { kind: "wrongLength" },
  { kind: "redirect", to: "http://169.254.169.254/" },
  { kind: "rateLimited", times: 99, retryAfterSeconds: null },
  { kind: "outOfOrder", times: 99 },
  { kind: "truncateOnce" },
] as const;

let server: TestServer;
let twin: DriveTwin;
let bytes: Buffer;

beforeAll(async () => {
  twin = await startDriveTwin();
  server = await startTestServer(undefined, { hosts: { baseUrls: baseUrlsOf(twin.url) } });
  const clip = path.join(server.folder, "clip.mp4");
  await makeClip(clip, { width: 90, height: 160, seconds: 0.2 });
  bytes = await readFile(clip);
});
afterAll(async () => {
  await server.close();
  await twin.close();
});

testFault(
  {
    id: "preflight",
    fault:
      "1,000 links are checked, of hosts that return errors, lie, redirect inside, limit requests and cut connections",
    expected: "every link gets a result, and open descriptors return to normal",
    rounds: { short: 1, full: 3 },
    secondsPerRound: 300,
  },
  async (round) => {
    await checkAll([twin.links("missing")]);
    const before = await countDescriptors(process.pid, NO_POOL);
    const links = Array.from({ length: CHECKS }, (_, i) => {
      const [id, behaviour] = [`${round}-${i}`, BEHAVIORS[i % BEHAVIORS.length]!];
      twin.add({ id, name: "clip.mp4", mimeType: "video/mp4", bytes, behaviour });
      return twin.links(id);
    });
    const startedMs = performance.now();
    for (let i = 0; i < links.length; i += LINKS_PER_CALL) await checkAll(links.slice(i, i + LINKS_PER_CALL));
    const seconds = (performance.now() - startedMs) / 1_000;
    const extra = async () => (await countDescriptors(process.pid, NO_POOL)) - before;
    await vi.waitUntil(async () => (await extra()) <= MAX_IDLE, { timeout: UNTIL_IDLE_MS, interval: 500 });
    return { "s for all checks": seconds, "extra descriptors": await extra() };
  },
);

async function checkAll(links: string[]): Promise<void> {
  for (let open = links; open.length > 0;) {
    const { data, error } = await server.client.functions.invoke<PreflightResponse>("preflight", {
      body: { links: open },
    });
    if (error) throw error;
    open = data!.videos.filter(({ state }) => state === "pending").map(({ link }) => link);
  }
}
