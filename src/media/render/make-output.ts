import { existsSync } from "node:fs";
import { ClipmillError } from "#contract/errors.ts";
import type { ConformanceReport, Platform } from "#contract/jobs/outputs/conformance.ts";
import type { Measured } from "#ground/checksum.ts";
import { explainFullDisk } from "#ground/disk-space.ts";
import { removeFile } from "./remove-file.ts";
import { checkConformance } from "../conformance/check-conformance.ts";
import { readMp4Summary } from "../conformance/mp4-summary.ts";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import { endAt, withoutEdits, type Track } from "../joining/track.ts";
import { sum } from "../joining/sample-tables.ts";
import { writeMovie } from "../joining/write-movie.ts";
import { coverArguments, THUMBNAIL_AT_SECONDS, thumbnailArguments } from "../plan/arguments/output-arguments.ts";
import { framesIn, secondsOf } from "../plan/fit-size.ts";
import { type PlannedOutput, streamsOf } from "../plan/render-plan.ts";
import { copyPicture, copySource } from "./copy-source.ts";
import { writeSubRip } from "../subtitles/write-subtitles.ts";
import type { RenderedOutput, RenderRun } from "./render-run.ts";
import { takePicture, takeTrack } from "./take-picture.ts";

/** The first represents all. */
export type IdenticalOutputs = {
  contentKey: string;
  thumbnailKey: string;
  outputs: [PlannedOutput, ...PlannedOutput[]];
};

export async function joinOutput(
  run: RenderRun,
  { contentKey, thumbnailKey, outputs }: IdenticalOutputs,
): Promise<RenderedOutput> {
  const [output] = outputs;
  const { request, plan } = run;
  const path = run.fileOf(`output-${plan.outputs.indexOf(output)}.mp4`);
  const isCopy = output.picture.from === "source" && output.sound.from !== "encoded";
  const {
    seconds: durationSeconds,
    measured,
    soundBytes,
  } = isCopy
    ? { ...(await copySource(run, output, path)), measured: null, soundBytes: null }
    : await mux(run, output, path);
  // Outputs that show the same picture share its thumbnail.
  const known = run.thumbnails.get(thumbnailKey);
  const thumbnailPath = known ?? (await drawThumbnail(run, output, { video: path, durationSeconds }));
  run.thumbnails.set(thumbnailKey, thumbnailPath);
  const { width, height } = plan;
  const coverPath = await drawCover(run, { video: path, durationSeconds });
  const keys = outputs.map(({ key }) => key);
  const warnings = new Map(outputs.map((same) => [same.key, run.warnings.of(same)]));
  const conformance = await reportOn(path, request.settings.platform);
  const thumbnail = { thumbnailPath, thumbnailKey };
  return {
    keys,
    contentKey,
    path,
    measured,
    soundBytes,
    ...thumbnail,
    coverPath,
    subtitles: output.cues.length > 0 ? writeSubRip(output.cues) : null,
    durationSeconds,
    width,
    height,
    conformance,
    warnings,
  };
}

/** Muxes in process. Throws ClipmillError "no_space" on a full disk. */
async function mux(
  run: RenderRun,
  output: PlannedOutput,
  file: string,
): Promise<{ seconds: number; measured: Measured; soundBytes: number }> {
  const { picture, sound } = output;
  const { track, seconds } = await (picture.from === "encoded" ? takePicture(run, picture) : copyPicture(run, output));
  const tracks: [Track, ...Track[]] = [track];
  if (sound.from === "encoded") {
    const whole = await takeTrack((await run.streams.get(sound.id)).path);
    // An encoded picture may end a frame or two early; the sound then ends with it.
    tracks.push(picture.from === "encoded" && seconds < output.seconds ? endAt(whole, seconds) : whole);
  }
  const [first, ...others] = output.avoidsEditLists ? tracks.map(withoutEdits) : tracks;
  try {
    const soundBytes = others.reduce((total, { samples }) => total + sum(samples.sizes), 0);
    return { seconds, soundBytes, measured: await writeMovie([first!, ...others], file, run.signal) };
  } catch (error) {
    throw explainFullDisk(error, "There is no space left on the disk.");
  }
}

async function reportOn(file: string, platform: Platform | null): Promise<ConformanceReport | null> {
  if (platform === null) return null;
  const summary = await readMp4Summary(file);
  return summary && checkConformance(platform, summary);
}

/** Passes the file to `onOutput`, then removes it and all streams no longer needed. */
export async function deliverOutput(
  run: RenderRun,
  { outputs }: IdenticalOutputs,
  made: RenderedOutput,
): Promise<void> {
  for (const { key } of outputs) run.note(key, 1);
  await run.options.onOutput(made);
  const unneeded = [];
  for (const output of outputs) unneeded.push(...(await dropUnneeded(run, output)));
  await Promise.all([made.path, ...(made.coverPath ? [made.coverPath] : []), ...unneeded].map(removeFile));
}

async function dropUnneeded(run: RenderRun, output: PlannedOutput): Promise<string[]> {
  const paths: string[] = [];
  for (const id of streamsOf(output)) {
    const left = run.usersLeft.get(id)! - 1;
    run.usersLeft.set(id, left);
    const { path, thumbnailPath } = await run.streams.get(id);
    if (left === 0) paths.push(path, ...(thumbnailPath ? [thumbnailPath] : []));
  }
  return paths;
}

/** Draws from the output if the picture's own run made no thumbnail. */
async function drawThumbnail(
  run: RenderRun,
  { picture }: PlannedOutput,
  made: { video: string; durationSeconds: number },
): Promise<string> {
  const drawn = picture.from === "encoded" ? (await run.streams.get(picture.thumbnailOf)).thumbnailPath : null;
  if (drawn !== null) return drawn;
  const file = run.fileOf(`${picture.from === "encoded" ? picture.thumbnailOf : "source"}-thumbnail.jpg`);
  const atSeconds = Math.min(THUMBNAIL_AT_SECONDS, made.durationSeconds / 2);
  for (const at of [atSeconds, 0]) {
    const args = thumbnailArguments(made.video, { atSeconds: at, isExact: at === 0, file });
    await runFfmpeg(run.options.tools, { step: "thumbnail", args, signal: run.signal });
    // A video of one frame has none at that time.
    if (existsSync(file)) break;
  }
  return file;
}

const END_SECONDS = 2;

/** Takes the frame shown at `cover_seconds`, or else the last one, from the finished file, so that it has the caption. */
async function drawCover(
  { request, plan, options, signal }: RenderRun,
  { video, durationSeconds }: { video: string; durationSeconds: number },
): Promise<string | null> {
  const { cover_seconds: wanted } = request.settings;
  if (wanted === null) return null;
  const { frameRate, width: pixelsWide } = plan;
  const file = `${video}.jpg`;
  const frame = Math.min(framesIn(wanted, frameRate), framesIn(durationSeconds, frameRate) - 1);
  const places = [
    // Half a frame early: ffmpeg takes the first frame at or after this time.
    { atSeconds: secondsOf(frame - 0.5, frameRate), isLast: false },
    // A damaged copy may have no frames there.
    { atSeconds: durationSeconds - END_SECONDS, isLast: true },
    { atSeconds: 0, isLast: true },
  ];
  for (const place of places) {
    const args = coverArguments(video, { ...place, pixelsWide, file });
    await runFfmpeg(options.tools, { step: "cover", args, signal }).catch(ignoreDamage);
    if (existsSync(file)) return file;
  }
  return null;
}

function ignoreDamage(error: unknown): void {
  if (!(error instanceof ClipmillError && error.code === "damaged")) throw error;
}
