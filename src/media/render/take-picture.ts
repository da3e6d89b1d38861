import { ClipmillError } from "#contract/errors.ts";
import { joinPictures } from "../joining/join-pictures.ts";
import { readTrack, type Track } from "../joining/track.ts";
import { secondsOf } from "../plan/fit-size.ts";
import type { EncodedPicture } from "../plan/render-plan.ts";
import type { RenderRun, TakenPicture } from "./render-run.ts";
import type { EncodedStream } from "./stream-cache.ts";

/** May succeed in one piece: the stretches do not fit together, or one of them failed. */
export class CutError extends ClipmillError {}

/** Throws CutError if the stretches do not fit together, "render_failed" if a file cannot be read. */
export async function takePicture(run: RenderRun, { stretches }: EncodedPicture): Promise<TakenPicture> {
  const [only, ...others] = await Promise.all(stretches.map((id) => run.streams.get(id)));
  if (others.length === 0) return { track: await trackOf(only!), seconds: only!.seconds };
  const { plan } = run;
  const frames = new Map(plan.stretches.map(({ id, cut }) => [id, cut.frames]));
  const parts = [];
  for (const [i, stream] of [only!, ...others].entries()) {
    parts.push({ track: await trackOf(stream), frames: frames.get(stretches[i]!)! });
  }
  const track = joinPictures(parts, plan.frameRate);
  if ("mismatch" in track) {
    throw new CutError("render_failed", "The video could not be rendered.", {
      facts: { step: "join", refusal: track.mismatch },
    });
  }
  return { track, seconds: secondsOf(track.samples.sizes.length, plan.frameRate) };
}

/** Read once per stream; a stream that is encoded again is another object. */
const tracks = new WeakMap<EncodedStream, Promise<Track>>();

function trackOf(stream: EncodedStream): Promise<Track> {
  const track = tracks.get(stream) ?? takeTrack(stream.path);
  tracks.set(stream, track);
  return track;
}

export async function takeTrack(path: string): Promise<Track> {
  const track = await readTrack(path);
  if (track) return track;
  throw new ClipmillError("render_failed", "The video could not be rendered.", {
    facts: { step: "join", refusal: "a stream could not be read" },
  });
}
