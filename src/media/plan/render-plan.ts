/** The words of rendering: what is asked for, and what is to be made for it. */
import type { Assignment } from "#contract/jobs/assignment.ts";
import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import type { Probe } from "../probe/probe-report.ts";
import type { FrameRate } from "./frame-rate.ts";

export type MediaFile = {
  path: string;
  probe: Probe;
  /** Says which content it is: the same for the same bytes, wherever they came from. */
  revision: string;
  /** Its sound consists of parts that overlap, or leave gaps, by a few milliseconds. */
  isJoined?: true;
};

/** What to make of one video. An assignment's indexes count into `tracks` and `captions`. */
export type RenderRequest = {
  source: MediaFile;
  tracks: MediaFile[];
  captions: string[];
  watermark: string | null;
  settings: StreamSettings;
  /** Encodes also what could be copied: the copy of a damaged picture is too short. */
  isPictureNeverCopied?: boolean;
  outputs: { key: string; assignment: Assignment }[];
};

/** A stretch of the source, laid on whole frames. */
export type Cut = {
  firstFrame: number;
  startSeconds: number;
  seconds: number;
  frames: number;
  /** False where the stretch begins or ends with the source itself. */
  isCutAtStart: boolean;
  isCutAtEnd: boolean;
};

/** A picture stream to encode: a stretch of the source with a caption on it, or none. */
export type PlannedPicture = { id: string; cut: Cut; caption: string | null };

/** Pictures of one caption that follow each other, encoded in one go and cut where each ends. */
export type PictureLine = { caption: string | null; ids: string[] };

/** Lines made by one ffmpeg, which decodes their stretch once for all of them. Each has a picture for each of the cuts. */
export type PictureRun = { cuts: Cut[]; lines: PictureLine[] };

/** A sound stream to encode; a null track is the source's own sound. */
export type PlannedSound = {
  id: string;
  cut: Cut;
  /** Where the source's sound begins, on its own clock; a little before zero where frames are shown early. */
  fromSeconds: number;
  trackIndex: number | null;
};

/** Where a stream of an output comes from: encoded by this plan, copied from the source, or absent. */
export type StreamOrigin = { from: "encoded"; id: string } | { from: "source" } | { from: "nothing" };

export type PlannedOutput = {
  key: string;
  seconds: number;
  picture: Exclude<StreamOrigin, { from: "nothing" }>;
  sound: StreamOrigin;
};

export type RenderPlan = {
  width: number;
  height: number;
  frameRate: FrameRate;
  /** Where the first frame lies on the source's clock. */
  offsetSeconds: number;
  pictures: PlannedPicture[];
  sounds: PlannedSound[];
  outputs: PlannedOutput[];
};

/** The ids of the encoded streams that an output is joined of. */
export function streamsOf({ picture, sound }: PlannedOutput): string[] {
  return [picture, sound].flatMap((origin) => (origin.from === "encoded" ? [origin.id] : []));
}
