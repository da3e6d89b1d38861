/** Types of a render request and its plan. */
import type { Assignment } from "#contract/jobs/assignment.ts";
import type { Fit } from "#contract/jobs/formats.ts";
import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import type { Probe } from "../probe/probe-report.ts";
import type { FrameRate } from "./frame-rate.ts";

/** Concurrent ffmpegs that encode sounds. */
export const MAX_SOUNDS_AT_ONCE = 4;

export type MediaFile = {
  path: string;
  probe: Probe;
  /** Identifies the content: equal for equal bytes, whatever their origin. */
  revision: string;
  /** Its sound consists of parts that overlap or leave gaps of a few milliseconds. */
  isJoined?: true;
};

/** What to make of one video. An assignment's indexes refer to `tracks` and `captions`. */
export type RenderRequest = {
  source: MediaFile;
  tracks: MediaFile[];
  captions: string[];
  watermark: string | null;
  settings: StreamSettings;
  /** Encodes even what could be copied: the copy of a damaged picture is too short. */
  isPictureNeverCopied?: boolean;
  outputs: { key: string; assignment: Assignment }[];
};

/** A range of the source, in whole frames. */
export type Cut = {
  firstFrame: number;
  startSeconds: number;
  seconds: number;
  frames: number;
  /** False where the range starts or ends with the source itself. */
  isCutAtStart: boolean;
  isCutAtEnd: boolean;
};

/** A picture stream to encode: a range of the source with a caption, or none. */
export type PlannedPicture = { id: string; cut: Cut; caption: string | null };

/** Consecutive pictures of one caption, encoded together and split where each ends. */
export type PictureLine = { caption: string | null; ids: string[] };

/** Lines made by one ffmpeg, which decodes their range once. Each has one picture per cut. */
export type PictureRun = { cuts: Cut[]; lines: PictureLine[] };

/** A sound stream to encode; a null track is the source's own sound. */
export type PlannedSound = {
  id: string;
  cut: Cut;
  /** Start of the source's sound, on its own clock; slightly negative where frames are shown early. */
  fromSeconds: number;
  trackIndex: number | null;
};

/** Origin of an output's stream: encoded by this plan, copied from the source, or absent. */
export type StreamOrigin = { from: "encoded"; id: string } | { from: "source" } | { from: "nothing" };

export type PlannedOutput = {
  key: string;
  seconds: number;
  picture: Exclude<StreamOrigin, { from: "nothing" }>;
  sound: StreamOrigin;
  /** Its file has no edit lists, which the platform refuses. */
  avoidsEditLists: boolean;
};

/** How frames of another shape fill the output. The focus is a share of the width and of the height. */
export type Framing = { fit: Fit; focusX: number; focusY: number };

export type RenderPlan = {
  width: number;
  height: number;
  /** Null if the output has the source's size. */
  framing: Framing | null;
  frameRate: FrameRate;
  /** Time of the first frame on the source's clock. */
  offsetSeconds: number;
  pictures: PlannedPicture[];
  sounds: PlannedSound[];
  outputs: PlannedOutput[];
};

/** Returns the ids of the encoded streams in an output. */
export function streamsOf({ picture, sound }: PlannedOutput): string[] {
  return [picture, sound].flatMap((origin) => (origin.from === "encoded" ? [origin.id] : []));
}
