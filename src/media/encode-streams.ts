/** Encodes the distinct pictures and sounds of a plan, each into a file of its own. */
import os from "node:os";
import { drawCaption, drawWatermark } from "./captions/draw-text.ts";
import { measureRendered } from "./measure-rendered.ts";
import { type Drawing, pictureArguments } from "./plan/picture-arguments.ts";
import type { PictureRun, PlannedSound } from "./plan/render-plan.ts";
import { soundArguments } from "./plan/sound-arguments.ts";
import type { RenderRun } from "./render-run.ts";
import { runFfmpeg } from "./run-ffmpeg.ts";

/** Captions by their text. */
export type DrawnTexts = { captions: Map<string, Drawing>; watermark: Drawing | null };

/** Draws each distinct caption and the watermark once. */
export async function drawTexts(run: RenderRun): Promise<DrawnTexts> {
  const { plan, request, fileOf } = run;
  const pictures = plan.pictureRuns.flatMap(({ pictures }) => pictures);
  const captions = new Map<string, Drawing>();
  for (const { caption } of pictures) {
    if (run.signal.aborted) break;
    if (caption === null || captions.has(caption)) continue;
    const drawing = await drawCaption(caption, request.captionLook, plan, fileOf(`caption-${captions.size}.png`));
    if (drawing) captions.set(caption, drawing);
  }
  const isMarked = request.watermark !== null && pictures.length > 0;
  const watermark = isMarked ? await drawWatermark(request.watermark ?? "", plan, fileOf("watermark.png")) : null;
  return { captions, watermark };
}

/** Encodes the pictures of one run with one ffmpeg and puts them on the board. */
export async function encodePictures(run: RenderRun, pictures: PictureRun, drawn: DrawnTexts): Promise<void> {
  const { plan, options, request } = run;
  const fileOf = (id: string) => run.fileOf(`${id}.mp4`);
  const encoders = pictures.pictures.length * (options.concurrency ?? 1);
  await runFfmpeg(options.tools, {
    step: "picture",
    args: pictureArguments(pictures, plan, {
      source: request.source,
      drawings: drawn.captions,
      watermark: drawn.watermark,
      // more encoders than cores with one thread each beat the same encoders with several
      threadsPerEncoder: Math.max(1, Math.floor(os.availableParallelism() / encoders)),
      hasZscale: options.tools.hasZscale ?? false,
      fileOf,
    }),
    signal: run.signal,
    onProgress(seconds) {
      for (const { id } of pictures.pictures) run.note(id, seconds / pictures.cut.seconds);
    },
  });
  for (const { id } of pictures.pictures) {
    const seconds = await measureRendered(run, fileOf(id), pictures.cut.seconds);
    run.note(id, 1);
    run.streams.put(id, { path: fileOf(id), seconds });
  }
}

/** Encodes one sound and puts it on the board. */
export async function encodeSound(run: RenderRun, sound: PlannedSound): Promise<void> {
  const { options, request } = run;
  const file = run.fileOf(`${sound.id}.m4a`);
  const track = sound.trackIndex === null ? null : (request.tracks[sound.trackIndex] ?? null);
  await runFfmpeg(options.tools, {
    step: "sound",
    args: soundArguments(sound, { source: request.source, track, settings: request.sound, file }),
    signal: run.signal,
    damagedSentence: track
      ? "The music file, or the sound of the video, is damaged or incomplete."
      : "The sound of the video is damaged or incomplete.",
    onProgress: (seconds) => run.note(sound.id, seconds / sound.cut.seconds),
  });
  run.note(sound.id, 1);
  run.streams.put(sound.id, { path: file, seconds: sound.cut.seconds });
}
