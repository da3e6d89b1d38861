/** Streams with equal keys are identical, in any job. */
import { settingsOfPart } from "#contract/job-settings/setting-values.ts";
import type { Encoder } from "#contract/settings/system.ts";
import { sha256Of } from "#ground/checksum.ts";
import { encoderArguments, ENGINE_VERSION } from "./arguments/encoder-arguments.ts";
import type { FramePlan } from "./plan-render.ts";
import type { PlannedOutput, PlannedSound, PlannedStretch, RenderPlan, RenderRequest } from "./render-plan.ts";
import { isSourceAudible } from "./arguments/sound-arguments.ts";

export type DrawingIdentity = { hash: string; x: number; y: number };

/** Includes the encoder's parameters, so that only stretches encoded alike are joined. */
export function stretchKey(
  { cut, shown, followsSeam }: Pick<PlannedStretch, "cut" | "shown" | "followsSeam">,
  plan: FramePlan,
  request: Pick<RenderRequest, "source" | "settings">,
  { caption, watermarks }: { caption: DrawingIdentity | null; watermarks: readonly DrawingIdentity[] },
  encoder: { name: Encoder; version: string },
): string {
  const { width, height, framing, frameRate, offsetSeconds, keyframeFrames } = plan;
  const { source, settings } = request;
  const asked = [settingsOfPart(settings, "picture"), settingsOfPart(settings, "encoding")];
  const frames = [cut.firstFrame, cut.frames, frameRate, offsetSeconds, keyframeFrames];
  const identify = (drawing: DrawingIdentity | null) => drawing && [drawing.hash, drawing.x, drawing.y];
  const drawings = [identify(caption), caption && shown, ...watermarks.map(identify)];
  const encoding = [encoder.name, encoder.version, encoderArguments(settings.quality, 1, encoder.name, followsSeam)];
  return hash(["stretch", source.revision, frames, width, height, framing, asked, drawings, encoding]);
}

/** Ignores replaced sound, so that videos of one length share their music. */
export function soundKey(
  { cut, fromSeconds, trackIndex }: PlannedSound,
  { soundKbps }: Pick<RenderPlan, "soundKbps">,
  request: RenderRequest,
  encoder: string,
): string {
  const { source, settings } = request;
  const track = trackIndex === null ? null : request.tracks[trackIndex]!;
  const sourceSound = isSourceAudible(source, track, settings) ? { revision: source.revision, at: fromSeconds } : null;
  const music = track && { revision: track.revision, mix: settingsOfPart(settings, "mix") };
  return hash([
    "sound",
    soundKbps,
    settingsOfPart(settings, "sound"),
    sourceSound,
    music,
    cut.seconds,
    cut.isCutAtStart,
    cut.isCutAtEnd,
    encoder,
  ]);
}

/** Outputs with equal keys are the same file, even across videos of a job. `streamKeys` is by stream id. */
export function contentKey(
  { picture, sound, avoidsEditLists }: Pick<PlannedOutput, "picture" | "sound" | "avoidsEditLists">,
  streamKeys: ReadonlyMap<string, string>,
  { source }: Pick<RenderRequest, "source">,
): string {
  const copied = ({ from }: { from: string }) => [from, source.revision];
  return hash([
    "output",
    picture.from === "encoded" ? picture.stretches.map((id) => streamKeys.get(id)) : copied(picture),
    sound.from === "encoded" ? streamKeys.get(sound.id) : copied(sound),
    ...(avoidsEditLists ? ["no edit lists"] : []),
  ]);
}

export function thumbnailKeyOf(
  { picture }: Pick<PlannedOutput, "picture">,
  streamKeys: ReadonlyMap<string, string>,
  { source }: Pick<RenderRequest, "source">,
): string {
  return hash(["thumbnail", picture.from === "encoded" ? streamKeys.get(picture.thumbnailOf) : source.revision]);
}

function hash(facts: unknown[]): string {
  return sha256Of(JSON.stringify([ENGINE_VERSION, ...facts]));
}
