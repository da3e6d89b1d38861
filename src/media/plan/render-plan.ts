import type { Assignment } from "#contract/jobs/outputs/assignment.ts";
import type { Fit } from "#contract/jobs/outputs/formats.ts";
import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import type { Probe } from "../probe/probe-report.ts";
import type { FrameRate } from "./fit-size.ts";

export const MAX_SOUNDS_AT_ONCE = 4;

export type MediaFile = {
  path: string;
  probe: Probe;
  /** Equal for equal bytes, whatever their origin. */
  revision: string;
  /** The parts of its sound overlap or leave gaps of a few milliseconds. */
  isJoined?: true;
};

/** For one video. An assignment's indexes refer to `tracks` and `captions`. */
export type RenderRequest = {
  source: MediaFile;
  tracks: MediaFile[];
  captions: string[];
  watermark: string | null;
  watermarkImage?: string | null;
  settings: StreamSettings;
  /** Encodes even copyable pictures: the copy of a damaged picture is too short. */
  isPictureNeverCopied?: boolean;
  /** The encoder's streams cannot be joined, or a join failed. */
  isPictureNeverCut?: boolean;
  isEncodedInSoftware?: boolean;
  outputs: { key: string; assignment: Assignment }[];
};

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

/** `shown` is null if the caption is on all frames, without a fade. */
export type Footage = { cut: Cut; caption: string | null; shown: Shown | null };

/** Encoded as one stream. A picture is one stretch, or several joined. */
export type PlannedStretch = Footage & { id: string; followsSeam: boolean };

/** Stretches encoded together and split afterwards. */
export type PictureLine = { caption: string | null; ids: string[] };

/** Lines of one ffmpeg, which decodes their range once. Each has one stretch per cut. */
export type PictureRun = { cuts: Cut[]; shown: Shown | null; followsSeam: boolean; lines: PictureLine[] };

/** A null track is the source's own sound. */
export type PlannedSound = {
  id: string;
  cut: Cut;
  /** Start of the source's sound, on its own clock; slightly negative where frames are shown early. */
  fromSeconds: number;
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
  /** The platform refuses edit lists. */
  avoidsEditLists: boolean;
};

/** The focus is a share of the width and of the height. */
export type Framing = { fit: Fit; focusX: number; focusY: number };

export type RenderPlan = {
  width: number;
  height: number;
  framing: Framing | null;
  frameRate: FrameRate;
  /** Time of the first frame on the source's clock. */
  offsetSeconds: number;
  keyframeFrames: number;
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
