/** VMAF of pictures joined from stretches, overall and at each seam, compared with one encode. */
import { stat } from "node:fs/promises";
import { DEFAULT_LOOK } from "#media/captions/layout/caption-shape.ts";
import { drawCaption } from "#media/captions/drawing/draw-text.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { drawClip, KINDS } from "../support/clips.ts";
import { clipSeconds, describeMachine, openBenchFolder } from "../support/runs.ts";
import { measureVmaf } from "../support/vmaf.ts";

const MOST_LOST = 0.3;
const CAPTIONS = ["Wait for the pour", "Save this for Monday"];
const TIMING = { caption_start_seconds: 2, caption_end_seconds: 5 };
const SEAMS = [60, 150];

await using folder = await openBenchFolder();
const { drawing } = await drawCaption(
  CAPTIONS[0]!,
  DEFAULT_LOOK,
  { width: 1080, height: 1920 },
  folder.file("caption.png"),
);
if (!drawing) throw new Error("The caption could not be drawn.");
const overlay = `[2:v]overlay=${drawing.x}:${drawing.y}:enable='between(n,${SEAMS[0]!},${SEAMS[1]! - 1})'`;

console.log(`${clipSeconds(15)} s of 1080x1920, caption from 2 to 5 s, joined / one encode; ${describeMachine()}`);
for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
  const source = folder.file(`${kind}.mp4`);
  await drawClip(source, clipSeconds(15), kind);
  const request = { source, captions: CAPTIONS, variants: CAPTIONS.length, settings: TIMING };
  const [joined] = await renderClip(folder.file(`${kind}-joined`), request);
  const [whole] = await renderClip(folder.file(`${kind}-whole`), { ...request, isPictureNeverCut: true });
  const reference = { path: source, filters: overlay, inputs: [drawing.path] };
  const ranges = [null, ...SEAMS.map((frame) => ({ from: frame - 15, to: frame + 15 }))];
  const scores = [];
  for (const range of ranges) {
    const [ours, theirs] = [
      await measureVmaf(joined!.path, reference, range),
      await measureVmaf(whole!.path, reference, range),
    ];
    const isMet = ours >= theirs - MOST_LOST;
    scores.push(
      `${range ? `frame ${range.from + 15}` : "whole"} ${ours.toFixed(2)} / ${theirs.toFixed(2)}${isMet ? "" : " NOT met"}`,
    );
  }
  const bytes = ((await stat(joined!.path)).size / (await stat(whole!.path)).size).toFixed(3);
  console.log(`${kind.padEnd(10)}${scores.join("  ")}  bytes ${bytes}`);
}
