/** What the parts of one render share. */
import type { ClipmillError } from "#contract/errors.ts";
import type { Warning } from "#contract/jobs/warnings.ts";
import type { Slots } from "#ground/slots.ts";
import type { PartBoard } from "../progress/part-board.ts";
import type { RenderPlan, RenderRequest } from "../plan/render-plan.ts";
import type { RenderWarnings } from "../health/render-warnings.ts";
import type { RenderProgress } from "../progress/progress-shares.ts";
import type { EncodedStream, StreamCache } from "./stream-cache.ts";
import type { TextDrawer } from "../captions/drawing/text-drawer.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";

export type RenderedOutput = {
  /** The keys of all outputs that share this file. */
  keys: string[];
  /** Identifies the content: equal for identical files, across videos and jobs. */
  contentKey: string;
  path: string;
  /** A JPEG of at most 360 pixels width. */
  thumbnailPath: string;
  durationSeconds: number;
  width: number;
  height: number;
  /** Warnings by output key: outputs that share a file may differ in what they were asked to show. */
  warnings: ReadonlyMap<string, Warning[]>;
};

export type RenderOptions = {
  tools: MediaTools;
  /** Shared by all of this process. */
  drawer: TextDrawer;
  /** An existing or new folder for this run alone; the caller removes it. */
  scratchFolder: string;
  /** Streams of earlier renders; those of this one are kept there. */
  streamCache: StreamCache;
  /** Shared by all renders of this process, so that their memory does not add up. */
  encoderSlots: Slots;
  signal: AbortSignal;
  /** ffmpegs that encode pictures at a time; 1 where not given, since one keeps all cores busy. */
  concurrency?: number;
  onProgress: (progress: RenderProgress) => void;
  /** Called for one file at a time, as soon as it is ready. The files are removed when the promise resolves. */
  onOutput: (output: RenderedOutput) => Promise<void>;
};

export type RenderRun = {
  request: RenderRequest;
  plan: RenderPlan;
  options: RenderOptions;
  /** Aborts when the caller does, or when any part has failed. */
  signal: AbortSignal;
  streams: PartBoard<EncodedStream>;
  /** Sounds that cannot be made, and why: the outputs that need them fail, the others are made. */
  failedSounds: Map<string, ClipmillError>;
  /** How many outputs still need an encoded stream; after the last one its file goes. */
  usersLeft: Map<string, number>;
  /** Ends the whole run for this reason. */
  fail: (reason: unknown) => void;
  note: (part: string, share: number) => void;
  warnings: RenderWarnings;
  fileOf: (name: string) => string;
};
