import type { Window } from "#contract/jobs/outputs/assignment.ts";
import type { Fit } from "#contract/jobs/outputs/formats.ts";
import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import type { SubtitleText } from "../captions/layout/lay-out-subtitle.ts";
import type { TextLook } from "../captions/layout/lay-out-text.ts";
import type { ImagePlacement } from "../captions/layout/place-image.ts";
import type { Transcript } from "../subtitles/transcript.ts";
import type { Probe } from "../probe/probe-report.ts";
import type { SeenFaces } from "../faces/find-faces.ts";
import type { FrameRate } from "./fit-size.ts";
import type { Paced } from "./speed.ts";

export const MAX_SOUNDS_AT_ONCE = 4;

export type MediaFile = {
  path: string;
  probe: Probe;
  /** Equal for equal bytes, whatever their origin. */
  revision: string;
  /** The parts of its sound overlap or leave gaps of a few milliseconds. */
  isJoined?: true;
  /** For a crop that follows them. */
  faces?: SeenFaces;
};

/** A null window is the entire source; others are on its own clock. */
export type TimelinePart = Paced & {
  /** In `sources`. */
  source: number;
  window: Window | null;
  /** Layers are on the other parts only, and their times count from the first of those. */
  isBare?: boolean;
  /** In `drawings`: its own caption, shown as long as the part, instead of the output's. */
  caption?: number;
  /** Of its own sound; 0 by default. */
  gainDb?: number;
  subtitles?: readonly TimedDrawing[];
  /** Their text, on the source's clock. */
  cues?: Transcript;
};

/** In order, one at a time: a later one ends an earlier one. Times are on the source's clock. */
export type TimedDrawing = { drawing: number; startSeconds: number; endSeconds: number };

/** What a layer shows: one picture, cropped to what is drawn. */
export type DrawingSpec =
  | { kind: "caption"; text: string; language?: string }
  | { kind: "watermark"; text: string }
  | { kind: "text"; text: string; look: TextLook }
  /** All of a video have one size. `blank` is the empty one, between others. */
  | { kind: "subtitle"; subtitle: SubtitleText; blank: number | null }
  /** `above` is the drawing that it must not touch. */
  | { kind: "image"; path: string; placement: ImagePlacement; above: number | null };

/** A null end is that of the output. */
export type LayerTimes = { startSeconds: number; endSeconds: number | null; fadeMs: number };

/** Times count from the first part that can show the layer. */
export type TimelineLayer = LayerTimes & {
  /** In `drawings`. A list is by source; null shows nothing. */
  drawing: number | readonly (number | null)[];
  /** Parts with their own caption do not show it. */
  isCaption?: true;
};

/** What one output shows: at least one part, in a row, under layers, the lowest first. `trackIndex` is in `tracks`. */
export type Timeline = {
  parts: readonly TimelinePart[];
  layers: readonly TimelineLayer[];
  trackIndex: number | null;
};

/** Runs of about that length, into which longer stretches are cut. `lines` counts those planned, by `rangeOf`. */
export type Chunks = { seconds: number; lines: Readonly<Record<string, number>> };

/** For one video. */
export type RenderRequest = {
  /** The first one, the video, determines the frame's size and rate. Bare ones come last. */
  sources: readonly [MediaFile, ...MediaFile[]];
  tracks: MediaFile[];
  drawings: readonly DrawingSpec[];
  settings: StreamSettings;
  /** Encodes even copyable pictures: the copy of a damaged picture is too short. */
  isPictureNeverCopied?: boolean;
  /** The encoder's streams cannot be joined, or a join failed. */
  isPictureNeverCut?: boolean;
  isEncodedInSoftware?: boolean;
  /** Of each file; larger ones are encoded again. */
  maxBytes?: number | null;
  /** The picture's bit rate, instead of the quality's. */
  pictureKbps?: number;
  chunks?: Chunks;
  outputs: (Timeline & { key: string; warnings?: readonly Warning[] })[];
};

/** Of a source as it plays: frame n shows the source n times the speed later than the first. */
export type Cut = {
  firstFrame: number;
  startSeconds: number;
  seconds: number;
  frames: number;
  /** False where the range starts or ends with the source itself. */
  isCutAtStart: boolean;
  isCutAtEnd: boolean;
};

/** Frames count from the footage's first. Excludes `toFrame`. */
export type Shown = { fromFrame: number; toFrame: number; fadeInFrames: number; fadeOutFrames: number };

/** `shown` is null on all frames, without a fade. */
export type Layer = { drawing: number; shown: Shown | null };

/** The lowest layer first. */
type Range = Paced & { source: number; cut: Cut; layers: readonly Layer[] };

/**
 * A range of one source. `into` is a range of another one, equally long, into which it fades. A chunk has `lines`, the
 * number of chunks planned over its frames; a run encodes nothing else. Pieces of a stretch are encoded together.
 */
export type Footage = Range & { into?: Range; lines?: number; pieceOf?: Range };

/** Encoded as one stream. A picture is one stretch, or several joined. */
export type PlannedStretch = Footage & {
  id: string;
  followsSeam: boolean;
  /** Another part follows, so it may not end early. */
  precedesPart: boolean;
};

/** Stretches encoded together and split afterwards. */
export type PictureLine = { layers: readonly Layer[]; ids: string[] };

/** Lines of one ffmpeg, which decodes their range once. Each has one stretch per cut. */
export type PictureRun = Pick<PlannedStretch, "source" | "speed" | "into" | "followsSeam" | "precedesPart"> & {
  cuts: Cut[];
  lines: PictureLine[];
  /** Of chunks: how many share the cores, so that threads, and bytes, are the same if some lines are known already. */
  encoders?: number;
};

/** Of a part's own sound. */
export type SoundPart = Paced & {
  source: number;
  /** On the source's clock; slightly negative where frames are shown early. */
  fromSeconds: number;
  /** As long as it plays. */
  seconds: number;
  gainDb: number;
  /** Into the next part. With `isOverlap`, their pictures overlap, too. The last part has none. */
  fade: SoundFade | null;
};

export type SoundFade = { seconds: number; isOverlap: boolean };

/** A null track is the parts' own sound. */
export type PlannedSound = {
  id: string;
  parts: SoundPart[];
  seconds: number;
  isCutAtStart: boolean;
  isCutAtEnd: boolean;
  trackIndex: number | null;
};

export type SoundOrigin = { from: "encoded"; id: string } | { from: "source" } | { from: "nothing" };

/** Ids of consecutive stretches. `thumbnailOf` is the most representative one. */
export type EncodedPicture = { from: "encoded"; stretches: string[]; thumbnailOf: string };

export type PlannedOutput = {
  key: string;
  seconds: number;
  picture: EncodedPicture | { from: "source" };
  sound: SoundOrigin;
  lacksCaption: boolean;
  /** Its subtitles, on its own clock. */
  cues: Transcript;
  /** The platform rejects edit lists. */
  avoidsEditLists: boolean;
};

/** The crop moves from `fromFrame` on and is at `focus` from `toFrame` on. A jump has equal frames. */
export type FocusMove = { fromFrame: number; toFrame: number; focus: number };

/** In order; no move starts before the previous one ends. The first one's focus also applies before it. */
export type FocusPath = readonly FocusMove[];

/** The focus is a share of the width and of the height. A path replaces it in the direction that is cropped. */
export type Framing = { fit: Fit; focusX: number; focusY: number; path?: FocusPath };

/** The frames of one source, brought to the size and rate of all. */
export type FramePlan = {
  width: number;
  height: number;
  /** How frames of another size fill it. */
  framing: Framing | null;
  frameRate: FrameRate;
  /** Time of the first frame on the source's clock. */
  offsetSeconds: number;
  keyframeFrames: number;
};

export type RenderPlan = Pick<FramePlan, "width" | "height" | "frameRate"> & {
  /** By source. */
  frames: FramePlan[];
  /** Null for a constant quality. */
  soundKbps: number | null;
  stretches: PlannedStretch[];
  sounds: PlannedSound[];
  outputs: PlannedOutput[];
};

export function streamsOf({ picture, sound }: PlannedOutput): string[] {
  return [...(picture.from === "encoded" ? picture.stretches : []), ...(sound.from === "encoded" ? [sound.id] : [])];
}

export function thumbnailStretches({ outputs }: Pick<RenderPlan, "outputs">): Set<string> {
  return new Set(outputs.flatMap(({ picture }) => (picture.from === "encoded" ? [picture.thumbnailOf] : [])));
}
