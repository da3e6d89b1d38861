/** Streams with equal keys are identical, in any job. */
import { hasDefaults, settingsOfPart } from "#contract/job-settings/setting-values.ts";
import type { Encoder } from "#contract/settings/system.ts";
import { sha256Of } from "#ground/checksum.ts";
import { encoderArguments, ENGINE_VERSION } from "./arguments/encoder-arguments.ts";
import { planWithin } from "./focus/focus-path.ts";
import type { Footage, PlannedOutput, PlannedSound, PlannedStretch, RenderPlan, RenderRequest } from "./render-plan.ts";
import { isSourceAudible } from "./arguments/sound-arguments.ts";

export type DrawingIdentity = { hash: string; x: number; y: number };

/** Includes the encoder's parameters, so that only stretches encoded alike are joined. */
export function stretchKey(
  { followsSeam, into, ...range }: Omit<PlannedStretch, "id" | "precedesPart">,
  plan: Pick<RenderPlan, "frames">,
  request: Pick<RenderRequest, "sources" | "settings" | "pictureKbps">,
  /** By place in `drawings`; a drawing of which nothing can be drawn is missing. */
  drawn: ReadonlyMap<number, DrawingIdentity>,
  encoder: { name: Encoder; version: string },
): string {
  const { settings } = request;
  const asked = [settingsOfPart(settings, "picture"), settingsOfPart(settings, "encoding")];
  const pictureOf = ({ source, speed, cut, layers }: Footage) => {
    const shown = planWithin(plan.frames[source]!, cut, speed);
    const { width, height, framing, frameRate, offsetSeconds, keyframeFrames } = shown;
    const frames = [cut.firstFrame, cut.frames, frameRate, offsetSeconds, keyframeFrames, ...(speed ? [speed] : [])];
    const drawings = layers.flatMap(({ drawing, shown }) => {
      const identity = drawn.get(drawing);
      return identity ? [[identity.hash, identity.x, identity.y, shown]] : [];
    });
    return [request.sources[source]!.revision, frames, width, height, framing, drawings];
  };
  const options = { followsSeam, kbps: request.pictureKbps ?? null, codec: settings.codec };
  const encoding = [encoder.name, encoder.version, encoderArguments(settings.quality, 1, encoder.name, options)];
  return hash(["stretch", pictureOf(range), ...(into ? [pictureOf(into)] : []), asked, encoding]);
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
  const partSounds = parts.map(({ source, ...part }) => [sources[source]!.revision, part]);
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

/** Outputs with equal keys are the same file and cover, even across videos of a job. `streamKeys` is by stream id. */
export function contentKey(
  { picture, sound, avoidsEditLists }: Pick<PlannedOutput, "picture" | "sound" | "avoidsEditLists">,
  streamKeys: ReadonlyMap<string, string>,
  { sources, settings }: Pick<RenderRequest, "sources" | "settings">,
): string {
  const copied = ({ from }: { from: string }) => [from, sources[0].revision];
  return hash([
    "output",
    picture.from === "encoded" ? picture.stretches.map((id) => streamKeys.get(id)) : copied(picture),
    sound.from === "encoded" ? streamKeys.get(sound.id) : copied(sound),
    ...(avoidsEditLists ? ["no edit lists"] : []),
    ...(hasDefaults(settings, "cover") ? [] : [settingsOfPart(settings, "cover")]),
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
