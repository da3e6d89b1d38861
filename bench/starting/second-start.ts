/** Time from a second start to the first sign-in page, compared with a bare Node process. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { execa } from "execa";
import { buildWebIfNeeded } from "#programs/first-start/build-web.ts";
import { describeTimes, medianOf } from "../support/times.ts";
import { startClipmill } from "../support/start-clipmill.ts";

const RUNS = 5;

await buildWebIfNeeded(() => console.log("Building the web app first."));
const dataDir = await mkdtemp(path.join(os.tmpdir(), "clipmill-bench-"));
await (await startClipmill(dataDir)).stop();

const bare: number[] = [];
const starts: number[] = [];
for (let run = 0; run < RUNS; run++) {
  let from = performance.now();
  await execa(process.execPath, ["-e", ""]);
  bare.push(performance.now() - from);

  from = performance.now();
  const clipmill = await startClipmill(dataDir);
  const page = await fetch(clipmill.url);
  if (!(await page.text()).includes("<title>Clipmill")) throw new Error("The response is not the sign-in page.");
  starts.push(performance.now() - from);
  await clipmill.stop();
}
await rm(dataDir, { recursive: true });
console.log(`Second start to sign-in page:  ${describeTimes(starts)}`);
console.log(`Bare Node, start to exit:      ${describeTimes(bare)}`);
console.log(`Ratio of the medians: ${(medianOf(starts) / medianOf(bare)).toFixed(1)}`);
