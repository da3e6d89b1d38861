/** Makes an output's picture out of its stretches. */
import { ClipmillError } from "#contract/errors.ts";
import { DISK_FULL_CODES } from "#ground/disk-space.ts";
import { hasCode } from "#ground/error-code.ts";
import { joinTracks } from "../joining/join-tracks.ts";
import { secondsOf } from "../plan/frame-rate.ts";
import { type EncodedPicture, pictureId, type PlannedOutput } from "../plan/render-plan.ts";
import type { RenderRun } from "./render-run.ts";
import type { EncodedStream } from "./stream-cache.ts";

/** A picture that may succeed in one piece: its stretches do not fit together, or one of them failed. */
export class CutFailure extends ClipmillError {}

/**
 * Returns an output's picture, joined from its stretches for the first output that needs it. Throws CutFailure if they
 * do not fit together, and ClipmillError "no_space".
 */
export async function takePicture(
  run: RenderRun,
  output: PlannedOutput,
  picture: EncodedPicture,
): Promise<EncodedStream> {
  const id = pictureId(picture);
  if (!run.streams.has(id)) run.streams.put(id, await join(run, output, picture));
  const [joined, { thumbnailPath }] = await Promise.all([run.streams.get(id), run.streams.get(picture.thumbnailOf)]);
  return { ...joined, thumbnailPath };
}

async function join(run: RenderRun, output: PlannedOutput, { stretches }: EncodedPicture): Promise<EncodedStream> {
  const { plan } = run;
  const path = run.fileOf(`picture-${plan.outputs.indexOf(output)}.mp4`);
  const frames = new Map(plan.stretches.map(({ id, cut }) => [id, cut.frames]));
  const parts = await Promise.all(
    stretches.map(async (id) => ({ path: (await run.streams.get(id)).path, frames: frames.get(id)! })),
  );
  const joined = await joinTracks(parts, plan.frameRate, path, run.signal).catch(refuseFullDisk);
  if ("refusal" in joined) {
    throw new CutFailure("render_failed", "The video could not be rendered.", { facts: { step: "join", ...joined } });
  }
  // the stretch owns its thumbnail
  return { path, thumbnailPath: null, seconds: secondsOf(joined.frames, plan.frameRate) };
}

function refuseFullDisk(error: unknown): never {
  if (!hasCode(error, ...DISK_FULL_CODES)) throw error;
  throw new ClipmillError("no_space", "There is no space left on the disk.", { cause: error });
}
