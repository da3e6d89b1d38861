/** Computes stream keys: streams with equal keys are the same, in any job. Pure. */
import { settingsOfPart } from "#contract/job-settings/setting-values.ts";
import { sha256Of } from "#ground/checksum.ts";
import { ENGINE_VERSION } from "./arguments/encoder-arguments.ts";
import type {
  PlannedOutput,
  PlannedPicture,
  PlannedSound,
  RenderPlan,
  RenderRequest,
  StreamOrigin,
} from "./render-plan.ts";
import { isSourceAudible } from "./arguments/sound-arguments.ts";

/** A drawing, by the hash of its picture and its position. */
export type DrawingIdentity = { hash: string; x: number; y: number };

/** Returns the key of a picture. `over` lists the drawings on it; `encoder` is the encoder and its version. */
export function pictureKey(
  { cut }: PlannedPicture,
  plan: Pick<RenderPlan, "width" | "height" | "framing" | "frameRate" | "offsetSeconds">,
  request: Pick<RenderRequest, "source" | "settings">,
  over: (DrawingIdentity | null)[],
  encoder: string,
): string {
  const { width, height, framing, frameRate, offsetSeconds } = plan;
  const { source, settings } = request;
  const asked = [settingsOfPart(settings, "picture"), settingsOfPart(settings, "encoding")];
  const stretch = [cut.firstFrame, cut.frames, frameRate, offsetSeconds];
  const drawings = over.map((drawing) => drawing && [drawing.hash, drawing.x, drawing.y]);
  return hash(["picture", source.revision, stretch, width, height, framing, asked, drawings, encoder]);
}

/** Returns the key of a sound. It leaves out replaced sound, so that videos of one length share their music. */
export function soundKey(
  { cut, fromSeconds, trackIndex }: PlannedSound,
  request: RenderRequest,
  encoder: string,
): string {
  const { source, settings } = request;
  const track = trackIndex === null ? null : request.tracks[trackIndex]!;
  const sourceSound = isSourceAudible(source, track, settings) ? { revision: source.revision, at: fromSeconds } : null;
  const music = track && { revision: track.revision, mix: settingsOfPart(settings, "mix") };
  return hash([
    "sound",
    settingsOfPart(settings, "sound"),
    sourceSound,
    music,
    cut.seconds,
    cut.isCutAtStart,
    cut.isCutAtEnd,
    encoder,
  ]);
}

/**
 * Returns the key of an output: outputs with equal keys are the same file, even across videos of a job. `streamKeys`
 * maps stream ids to the keys of encoded streams.
 */
export function contentKey(
  { picture, sound, avoidsEditLists }: Pick<PlannedOutput, "picture" | "sound" | "avoidsEditLists">,
  streamKeys: ReadonlyMap<string, string>,
  { source }: Pick<RenderRequest, "source">,
): string {
  const identify = (origin: StreamOrigin) =>
    origin.from === "encoded" ? streamKeys.get(origin.id) : [origin.from, source.revision];
  return hash(["output", identify(picture), identify(sound), ...(avoidsEditLists ? ["no edit lists"] : [])]);
}

function hash(facts: unknown[]): string {
  return sha256Of(JSON.stringify([ENGINE_VERSION, ...facts]));
}
