import { ClipmillError } from "#contract/errors.ts";
import type { Slots } from "#ground/slots.ts";
import { findSoundError } from "../ffmpeg/required-codecs.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";
import { looksLikeVideoContainer } from "../probe/formats/codecs.ts";
import { openInput } from "../probe/open-input.ts";
import { requireWithinLimits } from "../probe/probe-limits.ts";
import { readStatedLength } from "../probe/stated-length.ts";
import { requireVideo } from "../render/required-streams.ts";
import { drawFirstFrame } from "../stills/first-frame.ts";
import type { Excerpt } from "./take-excerpt.ts";

export type VideoFacts = {
  /** Null if only the complete file shows it. */
  durationSeconds: number | null;
  /** In pixels, as displayed. */
  width: number;
  height: number;
  hasSound: boolean;
  /** Why only outputs with replaced sound can be made. */
  soundProblem: ClipmillError | null;
  /** JPEG; null if the excerpt does not contain it. */
  thumbnail: Buffer | null;
};

/** Containers whose header does not list the streams. */
const FINDS_STREAMS_LATE = /\b(?:flv|mpegts|mpeg|ogg)\b/;

/** Suspect files first and pictures last, to report unusable files early. */
const TURNS = { suspect: 0, header: 1, picture: 2 } as const;

type Run = {
  folder: string;
  signal: AbortSignal;
  /** One per ffmpeg. */
  slots: Slots;
};

/**
 * Returns null if the excerpt is insufficient. Throws ClipmillError if a job cannot use the file ("not_a_video",
 * "unsupported_codec", "damaged", "too_large"), "cancelled", and "render_failed" if ffmpeg was killed.
 */
export async function describeExcerpt(tools: MediaTools, excerpt: Excerpt, run: Run): Promise<VideoFacts | null> {
  if (excerpt.header === "cut") throw cutShort();
  if (excerpt.header === "unknown") return null;
  try {
    const turn = (await looksLikeVideoContainer(excerpt.path)) ? "header" : "suspect";
    const { report, described } = await inTurn(run, turn, () =>
      openInput(tools, excerpt.path, { use: "video", signal: run.signal }),
    );
    const { formatName, audio } = described;
    if (!described.video && !excerpt.isWhole && FINDS_STREAMS_LATE.test(formatName)) return null;
    const video = requireVideo(described);
    const isStated = excerpt.hasLength && report.durationSeconds !== null;
    const used = [video, ...(audio ? [audio] : [])].map(({ index }) => index);
    const durationSeconds = isStated ? (await readStatedLength(excerpt.path, report, used)).seconds : null;
    requireWithinLimits({ video, durationSeconds: durationSeconds ?? 0 });
    const thumbnail = excerpt.hasFirstFrame
      ? await inTurn(run, "picture", () => drawFirstFrame(tools, { path: excerpt.path, video }, run))
      : null;
    const { width, height } = video;
    const soundProblem = findSoundError(described, undefined, tools.codecs);
    const hasSound = audio !== null || soundProblem !== null;
    return { durationSeconds, width, height, hasSound, soundProblem, thumbnail };
  } catch (error) {
    const mayBeIntact = !excerpt.isWhole && error instanceof ClipmillError && error.code === "damaged";
    if (mayBeIntact) return null;
    throw error;
  }
}

async function inTurn<Result>(
  { signal, slots }: Run,
  turn: keyof typeof TURNS,
  act: () => Promise<Result>,
): Promise<Result> {
  using places = new DisposableStack();
  places.defer(await slots.take(1, signal, TURNS[turn]));
  return await act();
}

function cutShort(): ClipmillError {
  return new ClipmillError("damaged", "The video file is incomplete: its end is missing.");
}
