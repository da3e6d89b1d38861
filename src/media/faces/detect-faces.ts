import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { ClipmillError } from "#contract/errors.ts";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { entryBeside } from "#ground/find-program.ts";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";
import { runModel } from "../models/run-model.ts";
import { escapeFilterValue } from "../plan/arguments/escape-filter-value.ts";
import { stillArguments } from "../plan/arguments/picture-arguments.ts";
import { sizeWithin } from "../plan/fill-frame.ts";
import { type FrameRate, framesIn, secondsOf } from "../plan/fit-size.ts";
import type { MediaFile } from "../plan/render-plan.ts";
import { requireVideo } from "../render/required-streams.ts";
import { type Face, MODEL_PIXELS, type SeenFaces, type SeenFrame } from "./find-faces.ts";

/** ffmpeg's scene score, from 0 to 1: a cut is above this, movement within a shot below. */
const CUT_SCORE = 0.2;
/** A flash has two cuts; the second is ignored. */
const LEAST_SHOT_SECONDS = 0.25;
const LOOKS_PER_SECOND = 2;
/** Limits the size of the frames on disk, to about 70 MB for a usual video. */
const PIECE_SECONDS = 300;
const ENTRY = entryBeside(import.meta, "faces-process");
/** A frame takes 20 ms. */
const LIMIT_MS_PER_LOOK = 1_000;

type Place = { window: Window; rate: FrameRate; folder: string; signal: AbortSignal };
type Range = { firstFrame: number; frames: number };

/**
 * Looks for faces twice a second, and in the first frame of each shot, in a window of a video. `rate` is the output's;
 * `folder` is for temporary files. Returns null if no frame can be decoded. Throws ClipmillError "cancelled", "no_space"
 * or "render_failed".
 */
export async function detectFaces(tools: MediaTools, file: MediaFile, place: Place): Promise<SeenFaces | null> {
  const { window, rate } = place;
  const firstFrame = framesIn(window.startSeconds, rate);
  const frames = Math.max(1, framesIn(window.endSeconds, rate) - firstFrame);
  const step = Math.max(1, framesIn(1 / LOOKS_PER_SECOND, rate));
  const length = step * Math.ceil((PIECE_SECONDS * rate.numerator) / rate.denominator / step);
  const seen: SeenFrame[] = [];
  try {
    for (let at = 0; at < frames; at += length) {
      // With the frame before, because a cut is a difference.
      const lead = at > 0 ? 1 : 0;
      const range = { firstFrame: firstFrame + at - lead, frames: Math.min(length, frames - at) + lead };
      const found = await lookAt(tools, file, { ...place, range, step, phase: at - lead });
      seen.push(...found.filter(({ frame }) => frame >= firstFrame + at));
    }
    return { firstFrame, frames, seen };
  } catch (error) {
    if (error instanceof ClipmillError && ["damaged", "unrenderable"].includes(error.code)) return null;
    throw error;
  }
}

/** `phase` is the range's first frame, counted from the window's. */
async function lookAt(
  tools: MediaTools,
  file: MediaFile,
  { rate, folder, signal, range, step, phase }: Place & { range: Range; step: number; phase: number },
): Promise<SeenFrame[]> {
  const [pixels, scores] = [path.join(folder, "faces.raw"), path.join(folder, "faces.txt")];
  const video = requireVideo(file.probe);
  const size = sizeWithin(video, { width: MODEL_PIXELS, height: MODEL_PIXELS });
  const plan = {
    ...{ ...size, framing: { fit: "crop", focusX: 0.5, focusY: 0.5 } as const, frameRate: rate },
    ...{ offsetSeconds: video.timing.offsetSeconds, keyframeFrames: 0 },
  };
  const spacing = framesIn(LEAST_SHOT_SECONDS, rate);
  const isCut = `gte(scene,${CUT_SCORE})*gte(n,ld(0))`;
  const isWanted = `not(mod(n+${phase},${step}))+eq(n,${range.frames - 1})`;
  const finish = [
    `trim=end_frame=${range.frames}`,
    // A score of brightness alone misses color changes.
    ...["setpts=N", "format=rgb24", `select='if(${isCut},st(0,n+${spacing}),${isWanted})'`],
    `metadata=mode=print:key=lavfi.scene_score:file=${escapeFilterValue(scores)}`,
  ].join(",");
  try {
    await runFfmpeg(tools, {
      step: "faces",
      args: stillArguments(plan, {
        ...{ source: file, drawings: new Map(), hasZscale: tools.hasZscale ?? false, finish, frames: range.frames },
        startSeconds: secondsOf(range.firstFrame, rate),
        output: ["-fps_mode", "passthrough", "-f", "rawvideo", `file:${pixels}`],
      }),
      signal,
      mediaSeconds: secondsOf(range.firstFrame + range.frames, rate),
    });
    const looks = readLooks(await readFile(scores, "utf8"), spacing);
    const lines = await runModel(ENTRY, [pixels, String(size.width), String(size.height)], {
      ...{ step: "faces", work: "Face detection", signal },
      limitMs: LIMIT_MS_PER_LOOK * looks.length,
    });
    const faces = lines.toString().trimEnd().split("\n");
    return looks.slice(0, faces.length).map(({ frame, startsShot }, i) => {
      return { frame: range.firstFrame + frame, startsShot, faces: JSON.parse(faces[i]!) as Face[] };
    });
  } finally {
    await Promise.all([pixels, scores].map((file) => rm(file, { force: true })));
  }
}

/** The filter `setpts=N` numbers the frames. */
function readLooks(printed: string, spacing: number): { frame: number; startsShot: boolean }[] {
  let free = 0;
  return [...printed.matchAll(/pts:(\d+).*\nlavfi\.scene_score=([\d.]+)/g)].map(([, pts, score]) => {
    const frame = Number(pts);
    const startsShot = Number(score) >= CUT_SCORE && frame >= free;
    if (startsShot) free = frame + spacing;
    return { frame, startsShot };
  });
}
