/** Preflight of 80 links, 9 of them bad, through the real server and a local twin of Google Drive: how long it takes. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { PreflightResponse, PreflightVideo } from "#contract/sources/preflight.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { startTestServer } from "#tests/support/servers/server.ts";
import { baseUrlsOf } from "#tests/support/test-context.ts";
import { startDriveTwin } from "#tests/support/twins/google-drive-twin.ts";
import { costOf } from "../support/cpu.ts";

const LINKS = 80;
const BAD = 9;
const REFUSALS = [{ kind: "notShared" }, { kind: "notFound" }, { kind: "quotaExceeded" }] as const;

const twin = await startDriveTwin();
const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-bench-preflight-"));
const clip = path.join(folder, "clip.mp4");
// longer clips take the twin longer: it hashes all bytes for each request
await makeClip(clip, { picture: "testsrc2=s=1080x1920:r=30:d=2,noise=alls=3:allf=t", seconds: 2 });
const bytes = await readFile(clip);
const server = await startTestServer(undefined, { hosts: { baseUrls: baseUrlsOf(twin.url) } });

for (let round = 1; round <= 3; round += 1) {
  const links = Array.from({ length: LINKS }, (_, i) => {
    const id = `round${round}-${i}`;
    const behaviour = i < BAD ? REFUSALS[i % REFUSALS.length]! : { kind: "normal" as const };
    twin.add({ id, name: `${id}.mp4`, mimeType: "video/mp4", bytes, behaviour });
    return twin.links(id);
  });
  let firstSeconds = 0;
  let problemsSeconds = 0;
  let calls = 0;
  const { cpuSeconds, wallSeconds } = await costOf(async () => {
    const startedMs = performance.now();
    const known = new Map<string, PreflightVideo>();
    while (known.size < LINKS) {
      const open = links.filter((link) => !known.has(link));
      const options = { body: { links: open } };
      const { data, error } = await server.client.functions.invoke<PreflightResponse>("preflight", options);
      if (error) throw error;
      calls += 1;
      for (const video of data!.videos) if (video.state !== "pending") known.set(video.link, video);
      const seconds = (performance.now() - startedMs) / 1_000;
      firstSeconds ||= seconds;
      const problems = [...known.values()].filter(({ state }) => state === "problem").length;
      if (problems === BAD) problemsSeconds ||= seconds;
    }
    if ([...known.values()].some(({ ok, thumbnail_url: url }) => ok && !url))
      throw new Error("A thumbnail is missing.");
  });
  console.log(
    `Round ${round}: first rows after ${firstSeconds.toFixed(1)} s, all problems after ${problemsSeconds.toFixed(1)} s, ` +
      `all ${LINKS} links after ${wallSeconds.toFixed(1)} s in ${calls} calls; ${cpuSeconds.toFixed(1)} CPU seconds.`,
  );
}
console.log(`${twin.requests.length} requests, none for a whole file: ${twin.requests.every(({ range }) => range)}.`);
await server.close();
await twin.close();
await rm(folder, { recursive: true });
// the server keeps a timer for slow requests
process.exit();
