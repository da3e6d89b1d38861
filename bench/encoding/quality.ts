/** CPU, VMAF and file size of each quality and of ffmpeg's defaults, for five kinds of picture. */
import { stat } from "node:fs/promises";
import { QUALITIES } from "#contract/jobs/jobs.ts";
import { encoderArguments } from "#media/plan/arguments/encoder-arguments.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { KINDS } from "../support/clips.ts";
import { costOf } from "../support/cpu.ts";
import { clipSeconds, describeMachine, openBenchFolder, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";
import { measureVmaf } from "../support/vmaf.ts";

const DEFAULTS = "ffmpeg's defaults";

await using folder = await openBenchFolder();
console.log(`${clipSeconds(3)} s of 1080x1920, one single-threaded encoder, lossless input; ${describeMachine()}`);
for (const [kind, picture] of Object.entries(KINDS)) {
  const source = folder.file(`${kind}.mkv`);
  // Tagged like Clipmill's pictures, so that the tested settings do not convert colors.
  const tags = "format=yuv420p,setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709";
  const lossless = ["-vf", tags, "-c:v", "ffv1"];
  await runTestFfmpeg(["-f", "lavfi", "-i", picture, "-t", String(clipSeconds(3)), ...lossless, source]);
  const decoding = await costs(() => runTestFfmpeg(["-i", source, "-f", "null", "-"]));
  for (const quality of [DEFAULTS, ...QUALITIES] as const) {
    const settings = quality === DEFAULTS ? ["-c:v", "libx264", "-threads", "1"] : encoderArguments(quality, 1);
    const file = folder.file("encoded.mp4");
    const seconds = (await costs(() => runTestFfmpeg(["-i", source, ...settings, file]))) - decoding;
    const vmaf = await measureVmaf(file, { path: source, filters: "null" });
    const kilobytes = (await stat(file)).size / 1_000;
    console.log(
      `${kind.padEnd(10)}${quality.padEnd(18)}CPU ${seconds.toFixed(2).padStart(6)} s  VMAF ${vmaf.toFixed(1)}  ${kilobytes.toFixed(0).padStart(6)} kB`,
    );
  }
}

async function costs(work: () => Promise<void>): Promise<number> {
  const seconds = [];
  for (let run = 0; run < RUNS; run++) seconds.push((await costOf(work)).cpuSeconds);
  return medianOf(seconds);
}
