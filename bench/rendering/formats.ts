/** A landscape clip made portrait: CPU of the blurred background compared with a plain encode of the same size. */
import type { Fit } from "#contract/jobs/outputs/formats.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { drawClip } from "../support/clips.ts";
import { costOf } from "../support/cpu.ts";
import { clipSeconds, describeMachine, describeRatio, openBenchFolder, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";

const FITS = ["crop", "blur", "pad"] as const satisfies Fit[];

await using folder = await openBenchFolder();
const upright = folder.file("upright.mp4");
const lying = folder.file("lying.mp4");
await drawClip(upright, clipSeconds(10));
await runTestFfmpeg(["-i", upright, "-vf", "transpose=1", "-preset", "veryfast", "-crf", "20", lying]);

const cpu: Record<Fit | "plain", number[]> = { crop: [], blur: [], pad: [], plain: [] };
for (let run = 0; run < RUNS; run++) {
  for (const fit of FITS) {
    const settings = { format: "9:16", fit } as const;
    const cost = await costOf(() => renderClip(folder.file(`${fit}-${run}`), { source: lying, settings }));
    cpu[fit].push(cost.cpuSeconds);
  }
  // a watermark, so that the picture is encoded rather than copied
  const cost = await costOf(() => renderClip(folder.file(`plain-${run}`), { source: upright, watermark: "." }));
  cpu.plain.push(cost.cpuSeconds);
}
console.log(`${clipSeconds(10)} s of 1920x1080 at 30 fps to 1080x1920; ${describeMachine()}`);
for (const fit of FITS) console.log(`CPU with ${fit}: ${medianOf(cpu[fit]).toFixed(1)} s`);
console.log(`CPU of an upright clip of the same size: ${medianOf(cpu.plain).toFixed(1)} s`);
console.log(`Blurred background / crop: ${describeRatio(cpu.blur, cpu.crop, { atMost: 1.3 })}`);
console.log(`Blurred background / upright clip: ${describeRatio(cpu.blur, cpu.plain, { atMost: 1.3 })}`);
// black bars cost the encoder nothing
console.log(`Blurred background / black bars: ${describeRatio(cpu.blur, cpu.pad)}`);
