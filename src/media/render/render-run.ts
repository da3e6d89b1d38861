import type { ClipmillError } from "#contract/errors.ts";
import type { ConformanceReport } from "#contract/jobs/outputs/conformance.ts";
import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import type { Encoder } from "#contract/settings/system.ts";
import type { Measured } from "#ground/checksum.ts";
import type { Slots } from "#ground/slots.ts";
import type { PartBoard } from "../progress/progress.ts";
import type { MediaFile, RenderPlan, RenderRequest } from "../plan/render-plan.ts";
import type { RunOrder } from "../plan/chunks/run-order.ts";
import type { RenderWarnings } from "../health/render-warnings.ts";
import type { RenderProgress } from "../progress/progress-shares.ts";
import type { Track } from "../joining/track.ts";
import type { EncodedStream, StreamCache } from "./stream-cache.ts";
import type { TextDrawer } from "../captions/drawing/text-drawer.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";

export type RenderedOutput = {
  keys: string[];
  /** Equal for identical files, across videos and jobs. */
  contentKey: string;
  path: string;
  measured: Measured | null;
  /** Null if its sound is a copy. */
  soundBytes: number | null;
  /** JPEG, at most 360 pixels wide. Already removed if `onOutput` was called with the same key before. */
  thumbnailPath: string;
  /** Equal for equal pictures, across videos and jobs. */
  thumbnailKey: string;
  /** JPEG in full size; null without `cover_seconds`, or if no frame could be decoded. */
  coverPath: string | null;
  /** Its subtitles as SubRip; null without any. */
  subtitles: string | null;
  durationSeconds: number;
  width: number;
  height: number;
  conformance: ConformanceReport | null;
  /** By output key: outputs that share a file may have different warnings. */
  warnings: ReadonlyMap<string, Warning[]>;
};

export type RenderOptions = {
  tools: MediaTools;
  drawer: TextDrawer;
  /** For this run only, created if missing; the caller removes it. */
  scratchFolder: string;
  streamCache: StreamCache;
  /** Shared by all renders in this process, to bound their total memory. */
  encoderSlots: Slots;
  signal: AbortSignal;
  /** Concurrent ffmpegs that encode pictures; 1 by default, since one keeps all cores busy. */
  concurrency?: number;
  onProgress: (progress: RenderProgress) => void;
  /** Lets other workers encode some of the runs. */
  shareRuns?: ShareRuns | undefined;
  /** Called when no picture is left to encode, possibly several times: the rest needs little CPU. */
  onPicturesReady?: (() => void) | undefined;
  /** Called for one file at a time, as soon as it is ready. The file is removed afterwards. */
  onOutput: (output: RenderedOutput) => Promise<void>;
  /** Called for each file before anything is encoded; true if outputs `keys` have one with this content. */
  takeStored?: ((contentKey: string, keys: string[]) => Promise<boolean>) | undefined;
};

/** Runs of one render, each encoded here or elsewhere. */
export type SharedRuns = {
  /**
   * Returns the place of a run to encode here, or null once all have been returned or received. Throws the signal's
   * reason, and what `receive` throws.
   */
  next(): Promise<number | null>;
  /** Stops work elsewhere. */
  [Symbol.asyncDispose](): Promise<void>;
};

/** Returns null if sharing them is not worth it. */
export type ShareRuns = (work: {
  order: RunOrder;
  /** Paths by hash. */
  drawings: ReadonlyMap<string, string>;
  fileOf: (name: string) => string;
  signal: AbortSignal;
  /** Takes the streams of a run that was encoded elsewhere, by id. */
  receive: (streams: ReadonlyMap<string, EncodedStream>) => Promise<void>;
}) => SharedRuns | null;

export type TakenPicture = { track: Track; seconds: number };

/** What a run needs of its render. */
export type PictureEncoding = {
  request: Pick<RenderRequest, "settings" | "pictureKbps"> & { sources: readonly MediaFile[] };
  encoder: Encoder;
  plan: Pick<RenderPlan, "width" | "height" | "frameRate" | "frames">;
  options: Pick<RenderOptions, "tools" | "encoderSlots" | "concurrency">;
  /** Aborts when the caller does, or when any part fails. */
  signal: AbortSignal;
  /** Ids of stretches. */
  withThumbnail: ReadonlySet<string>;
  note: (part: string, share: number) => void;
  fileOf: (name: string) => string;
};

export type RenderRun = PictureEncoding & {
  request: RenderRequest;
  plan: RenderPlan;
  options: RenderOptions;
  streams: PartBoard<EncodedStream>;
  /** Of the source's picture, by length in seconds. */
  copies: Map<number, Promise<TakenPicture>>;
  /** Paths by `thumbnailKey`; delivery removes the file. */
  thumbnails: Map<string, string>;
  /** Outputs that need these sounds fail, the others are made. */
  failedSounds: Map<string, ClipmillError>;
  /** Outputs that still need each stream; the last one removes its file. */
  usersLeft: Map<string, number>;
  fail: (reason: unknown) => void;
  warnings: RenderWarnings;
};
