/** 1 caption x 10 tracks, and 10 tracks alone: CPU compared with one plain ffmpeg per variant. */
import { rm } from "node:fs/promises";
import { RATE_CONTROL } from "#media/plan/arguments/encoder-arguments.ts";
import { makeTone } from "#tests/support/media/make-clip.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { drawClip } from "../support/clips.ts";
import { costOf } from "../support/cpu.ts";
import { makePlainVariant } from "../support/plain-ffmpeg.ts";
import { clipSeconds, describeMachine, describeRatio, openBenchFolder, RUNS } from "../support/runs.ts";
import { medianOf } from "../support/times.ts";

const TRACKS = 10;

await using folder = await openBenchFolder();
const source = folder.file("source.mp4");
const tracks = Array.from({ length: TRACKS }, (_, i) => folder.file(`track-${i}.m4a`));
for (const [i, track] of tracks.entries()) await makeTone(track, { frequencyHz: 300 + 50 * i, seconds: 40 });

console.log(`1080x1920 with ${TRACKS} tracks; ${describeMachine()}`);
for (const { name, seconds, captions, aim } of [
  { name: `15 s, 1 caption x ${TRACKS} tracks`, seconds: 15, captions: ["Wait for the pour"], aim: 9 },
  { name: `15 s, ${TRACKS} tracks alone`, seconds: 15, captions: [], aim: 60 },
  { name: `5 s, 1 caption x ${TRACKS} tracks`, seconds: 5, captions: ["Wait for the pour"], aim: 7 },
]) {
  await drawClip(source, clipSeconds(seconds));
  const ours: number[] = [];
  const plain: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const request = { source, captions, tracks, variants: TRACKS };
    const outputs = folder.file("outputs");
    ours.push((await costOf(() => renderClip(outputs, request))).cpuSeconds);
    await rm(outputs, { recursive: true });
    const [caption] = captions;
    const variant = { track: tracks[0]!, settings: RATE_CONTROL.standard, ...(caption ? { caption } : {}) };
    // All variants cost the same, so one is measured and multiplied.
    const cost = await costOf(() => makePlainVariant(source, folder.file("plain.mp4"), variant));
    plain.push(cost.cpuSeconds * TRACKS);
  }
  console.log(
    `${name}: Clipmill's CPU ${medianOf(ours).toFixed(1)} s; plain ffmpeg per variant, same settings / Clipmill:`,
  );
  console.log(`  ${describeRatio(plain, ours, { atLeast: aim })}`);
}
