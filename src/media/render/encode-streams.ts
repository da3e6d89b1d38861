import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import os from "node:os";
import { ClipmillError, detailsOf, type ErrorCode } from "#contract/errors.ts";
import { endMissing } from "#contract/jobs/outputs/warnings.ts";
import type { IdentifiedDrawings } from "../captions/drawing/draw-layers.ts";
import { isMuchShorter, measureRendered, missingSeconds, SHORT_SECONDS } from "./measure-rendered.ts";
import { within } from "../plan/cut-footage.ts";
import { framesIn, secondsOf } from "../plan/fit-size.ts";
import { seriesFiles } from "../plan/arguments/drawing-series.ts";
import { pictureArguments, thumbnailFrame, thumbnailsArguments } from "../plan/arguments/picture-arguments.ts";
import type { PictureLine, PictureRun } from "../plan/render-plan.ts";
import { paced, speedOf } from "../plan/speed.ts";
import type { PictureEncoding } from "./render-run.ts";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import { encoderOf } from "../ffmpeg/tools.ts";
import { findPictureDamage, undecodedSeconds } from "../health/find-damage.ts";
import { EMPTY_REPORT, type RunReport } from "../ffmpeg/run-report.ts";
import type { EncodedStream } from "./stream-cache.ts";

/** The hardware encoder may be the cause. */
export class EncoderError extends ClipmillError {}

const OTHER_CAUSES: ReadonlySet<ErrorCode> = new Set(["cancelled", "no_space"]);

type Delivery = { deliver: (id: string, stream: EncodedStream) => Promise<void>; onEncoded: () => void };

/**
 * Encodes one run with one ffmpeg. Calls `onEncoded` before the thumbnails are drawn. Throws EncoderError if a
 * hardware encoder fails.
 */
export async function encodeStretches(
  run: PictureEncoding,
  pictures: PictureRun,
  drawn: IdentifiedDrawings,
  delivery: Delivery,
): Promise<void> {
  if (run.encoder === "software") return await encode(run, pictures, drawn, delivery);
  try {
    await encode(run, pictures, drawn, delivery);
    encoderOf(run.options.tools, run.request.settings.codec)?.noteSuccess();
  } catch (error) {
    if (!(error instanceof ClipmillError) || OTHER_CAUSES.has(error.code)) throw error;
    throw new EncoderError(error.code, error.message, detailsOf(error));
  }
}

async function encode(
  run: PictureEncoding,
  pictures: PictureRun,
  drawn: IdentifiedDrawings,
  { deliver, onEncoded }: Delivery,
): Promise<void> {
  const { plan, options, request } = run;
  const { cuts, lines, into } = pictures;
  const source = request.sources[pictures.source]!;
  const frames = plan.frames[pictures.source]!;
  const fileOf = (line: PictureLine, cut: number, kind: string) => run.fileOf(`${line.ids[0]}-${cut}.${kind}`);
  const encoders = (pictures.encoders ?? lines.length) * (options.concurrency ?? 1);
  const rate = plan.frameRate;
  const speed = speedOf(pictures);
  const drawingOver = (range: Pick<PictureRun, "source" | "speed">) => ({
    source: request.sources[range.source]!,
    ...paced(speedOf(range)),
    drawings: drawn,
    hasZscale: options.tools.hasZscale ?? false,
    settings: request.settings,
  });
  const drawing = drawingOver(pictures);
  let report: RunReport = EMPTY_REPORT;
  const runEncoders = (holdSeconds: number): Promise<unknown> =>
    runFfmpeg(options.tools, {
      step: "picture",
      args: pictureArguments(pictures, frames, {
        ...drawing,
        holdSeconds,
        into: into ? { ...drawingOver(into), holdSeconds, plan: plan.frames[into.source]! } : null,
        encoder: run.encoder,
        kbps: request.pictureKbps ?? null,
        // More encoders than cores, with one thread each, beat the same encoders with several threads.
        threadsPerEncoder: Math.max(1, Math.floor(os.availableParallelism() / encoders)),
        // ffmpeg reads the name as a pattern.
        patternOf: (line) => `${run.fileOf(line.ids[0]!).replaceAll("%", "%%")}-%d.mp4`,
      }),
      encoder: run.encoder,
      signal: run.signal,
      mediaSeconds: cuts.reduce((sum, { seconds }) => sum + seconds, 0),
      onReport: (found) => (report = found),
      onProgress(seconds) {
        cuts.forEach((cut, i) => {
          const share = (seconds - (cut.startSeconds - cuts[0]!.startSeconds)) / cut.seconds;
          for (const { ids } of lines) run.note(ids[i]!, share);
        });
      },
    });
  for (const { path, text } of seriesFiles(pictures, drawn, frames)) await writeFile(path, text);
  let missing = 0;
  const freeSlots = await options.encoderSlots.take(plan.width * plan.height * lines.length, run.signal);
  try {
    await runEncoders(0);
    const short = await missingSeconds(cuts, (i) => fileOf(lines[0]!, i, "mp4"));
    const isNoticed = short > SHORT_SECONDS;
    // Players hold the last decodable frame; a file that simply ends is rejected below.
    const isUndecoded = isNoticed && short / 2 < undecodedSeconds(report, source.probe) / speed;
    const mayHold = pictures.precedesPart && !isMuchShorter(short, cuts.at(-1)!.seconds);
    if ((isUndecoded || mayHold) && framesIn(short, rate) > 0) await runEncoders(short);
    missing = isNoticed && !isUndecoded ? short : 0;
  } finally {
    freeSlots();
  }
  onEncoded();
  // Damage in a transition is found in the stretches beside it, too.
  const warnings = into ? cuts.map(() => []) : findPictureDamage(report, source.probe, cuts, speed);
  for (const [i, cut] of cuts.entries()) {
    const seen = lines
      .filter(({ ids }) => run.withThumbnail.has(ids[i]!))
      .map(({ ids, layers }) => ({ ids, layers: within(layers, cut.frames, cut.firstFrame - cuts[0]!.firstFrame) }));
    for (const some of Map.groupBy(seen, (line) => thumbnailFrame(line, cut, frames)).values()) {
      const args = thumbnailsArguments(some, cut, frames, { ...drawing, fileOf: (line) => fileOf(line, i, "jpg") });
      await runFfmpeg(options.tools, { step: "thumbnail", args, signal: run.signal }).catch(takeFromOutput);
    }
    for (const line of lines) {
      const path = fileOf(line, i, "mp4");
      const found = await measureRendered(path, cut.seconds);
      const thumbnailPath = fileOf(line, i, "jpg");
      await deliver(line.ids[i]!, {
        path,
        thumbnailPath: existsSync(thumbnailPath) ? thumbnailPath : null,
        seconds: secondsOf(Math.min(found.frames, framesIn(cut.seconds, rate)), rate),
        warnings: [...warnings[i]!, ...(missing > 0 ? [endMissing(missing)] : [])],
      });
    }
  }
}

/** The thumbnail is then taken from the output. */
function takeFromOutput(error: unknown): void {
  if (!(error instanceof ClipmillError && error.code === "damaged")) throw error;
}
