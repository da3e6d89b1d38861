/** 2 minutes with captions, cut into segments of 10 s: CPU compared with the same clip in one piece. */
import { makeClip } from "#tests/support/media/make-clip.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { costOf } from "../support/cpu.ts";
import { clipSeconds, describeMachine, describeRatio, openBenchFolder, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";

const SEGMENT_SECONDS = 10;

await using folder = await openBenchFolder();
const source = folder.file("source.mp4");
await makeClip(source, { width: 720, height: 1280, seconds: clipSeconds(120) });
const request = { source, captions: ["Wait for the pour", "Save this for Monday"], variants: 2 };
const cpu = { whole: [] as number[], cut: [] as number[] };
let files = 0;
for (let run = 0; run < RUNS; run++) {
  cpu.whole.push((await costOf(() => renderClip(folder.file(`whole-${run}`), request))).cpuSeconds);
  const segmentation = { type: "multiple", segmentSeconds: SEGMENT_SECONDS } as const;
  const render = () => renderClip(folder.file(`cut-${run}`), { ...request, segmentation });
  cpu.cut.push((await costOf(async () => (files = (await render()).length))).cpuSeconds);
}
console.log(`${clipSeconds(120)} s of 720x1280 with 2 captions, whole and in ${files} files; ${describeMachine()}`);
console.log(`CPU: whole ${medianOf(cpu.whole).toFixed(1)} s, in segments ${medianOf(cpu.cut).toFixed(1)} s`);
console.log(`In segments / whole: ${describeRatio(cpu.cut, cpu.whole, { atMost: 1.15 })}`);
