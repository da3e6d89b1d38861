/** Streams with equal keys are identical, in any job. */
import { settingsOfPart } from "#contract/job-settings/setting-values.ts";
import type { Encoder } from "#contract/settings/system.ts";
import { sha256Of } from "#ground/checksum.ts";
import { encoderArguments, ENGINE_VERSION } from "./arguments/encoder-arguments.ts";
import type { PlannedOutput, PlannedSound, PlannedStretch, RenderPlan, RenderRequest } from "./render-plan.ts";
import { isSourceAudible } from "./arguments/sound-arguments.ts";

export type DrawingIdentity = { hash: string; x: number; y: number };

/** Includes the encoder's parameters, so that only stretches encoded alike are joined. */
export function stretchKey(
  { source, cut, isBare, shown, followsSeam }: Omit<PlannedStretch, "id" | "caption" | "precedesPart">,
  plan: Pick<RenderPlan, "frames">,
  request: Pick<RenderRequest, "sources" | "settings">,
  { caption, watermarks }: { caption: DrawingIdentity | null; watermarks: readonly DrawingIdentity[] },
  encoder: { name: Encoder; version: string },
): string {
  const { width, height, framing, frameRate, offsetSeconds, keyframeFrames } = plan.frames[source]!;
  const { sources, settings } = request;
  const asked = [settingsOfPart(settings, "picture"), settingsOfPart(settings, "encoding")];
  const frames = [cut.firstFrame, cut.frames, frameRate, offsetSeconds, keyframeFrames];
  const identify = (drawing: DrawingIdentity | null) => drawing && [drawing.hash, drawing.x, drawing.y];
  const drawings = [identify(caption), caption && shown, ...(isBare ? [] : watermarks.map(identify))];
  const encoding = [encoder.name, encoder.version, encoderArguments(settings.quality, 1, encoder.name, followsSeam)];
  return hash(["stretch", sources[source]!.revision, frames, width, height, framing, asked, drawings, encoding]);
}

/** Ignores replaced sound, so that videos of one length share their music. */
export function soundKey(
  sound: PlannedSound,
  { soundKbps }: Pick<RenderPlan, "soundKbps">,
  request: RenderRequest,
  encoder: string,
): string {
  const { sources, settings } = request;
  const { parts, seconds, isCutAtStart, isCutAtEnd, trackIndex } = sound;
  const track = trackIndex === null ? null : request.tracks[trackIndex]!;
  const partSounds = parts.map((part) => [sources[part.source]!.revision, part.fromSeconds, part.seconds]);
  return hash([
    "sound",
    soundKbps,
    settingsOfPart(settings, "sound"),
    isSourceAudible(sources, sound, settings) ? partSounds : null,
    track && { revision: track.revision, mix: settingsOfPart(settings, "mix") },
    seconds,
    isCutAtStart,
    isCutAtEnd,
    encoder,
  ]);
}

/** Outputs with equal keys are the same file, even across videos of a job. `streamKeys` is by stream id. */
export function contentKey(
  { picture, sound, avoidsEditLists }: Pick<PlannedOutput, "picture" | "sound" | "avoidsEditLists">,
  streamKeys: ReadonlyMap<string, string>,
  { sources }: Pick<RenderRequest, "sources">,
): string {
  const copied = ({ from }: { from: string }) => [from, sources[0].revision];
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
  { sources }: Pick<RenderRequest, "sources">,
): string {
  return hash(["thumbnail", picture.from === "encoded" ? streamKeys.get(picture.thumbnailOf) : sources[0].revision]);
}

function hash(facts: unknown[]): string {
  return sha256Of(JSON.stringify([ENGINE_VERSION, ...facts]));
}
