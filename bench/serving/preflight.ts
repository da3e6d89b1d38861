/**
 * Preflight of 80 links of five kinds, 9 of them bad in different ways: the time until the bad ones are reported, for
 * three positions in the list. Uses the real server and twins of the hosts.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { PreflightResponse, PreflightVideo } from "#contract/sources/preflight.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { startTestServer } from "#tests/support/servers/server.ts";
import { FIVE_KINDS_HOSTS, startFiveKinds } from "#tests/support/twins/five-kinds.ts";
import { costOf } from "../support/cpu.ts";
import { describeMachine } from "../support/runs.ts";

const GOOD_PER_HOST = 18;
const LINKS = 80;
const TARGET_SECONDS = 5;
/** The screen's pause between calls (link-checker.ts). */
const PAUSE_MS = 500;

/** Positions of the bad links. */
const PLACES = { first: (i: number) => i, spread: (i: number) => i * 9, last: (i: number) => LINKS - 9 + i };

console.log(describeMachine());
const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-bench-preflight-"));
const clip = path.join(folder, "clip.mp4");
// longer clips take the twins longer: they hash all bytes for each request
await makeClip(clip, { picture: "testsrc2=s=1080x1920:r=30:d=2,noise=alls=3:allf=t", seconds: 2 });
const bytes = await readFile(clip);

for (const [place, placeOf] of Object.entries(PLACES)) {
  const twins = await startFiveKinds(bytes);
  const server = await startTestServer(undefined, { hosts: twins.hosts });
  await server.client.functions.invoke("settings", { body: { source_hosts: FIVE_KINDS_HOSTS } });
  const good = Array.from({ length: GOOD_PER_HOST }, (_, i) => twins.addGood(i + 1, (host) => `${host}-${i}.mp4`));
  const bad = [...twins.addBad().keys()];
  const links = good.flat().slice(0, LINKS - bad.length);
  for (const [i, link] of bad.entries()) links.splice(placeOf(i), 0, link);

  const known = new Map<string, PreflightVideo>();
  let problemsSeconds = 0;
  let calls = 0;
  const { cpuSeconds, wallSeconds } = await costOf(async () => {
    const startedMs = performance.now();
    while (known.size < LINKS) {
      const open = links.filter((link) => !known.has(link));
      const options = { body: { links: open } };
      const { data, error } = await server.client.functions.invoke<PreflightResponse>("preflight", options);
      if (error) throw error;
      calls += 1;
      for (const video of data!.videos) if (video.state !== "pending") known.set(video.link, video);
      const problems = [...known.values()].filter(({ state }) => state === "problem").length;
      if (problems === bad.length && problemsSeconds === 0) {
        problemsSeconds = (performance.now() - startedMs) / 1_000;
        console.log(`${place}: all problems after ${calls} calls, with ${known.size - problems} other links`);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  });
  if ([...known.values()].some(({ ok, thumbnail_url: url }) => ok && !url)) throw new Error("A thumbnail is missing.");
  const isMet = problemsSeconds <= TARGET_SECONDS;
  console.log(
    `${place}: all 9 problems after ${problemsSeconds.toFixed(1)} s (target ${TARGET_SECONDS} s: ` +
      `${isMet ? "met" : "NOT met"}), all ${LINKS} links after ${wallSeconds.toFixed(1)} s in ${calls} calls; ` +
      `${cpuSeconds.toFixed(1)} CPU seconds with the twins; ${twins.wholeDownloads().size} files requested whole.`,
  );
  await server.close();
  await twins.close();
}
await rm(folder, { recursive: true });
// the server keeps a timer for slow requests
process.exit();
