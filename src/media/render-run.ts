/** What the parts of one render share. */
import type { PartBoard } from "./part-board.ts";
import type { RenderPlan, RenderRequest } from "./plan/render-plan.ts";
import type { RenderProgress } from "./progress-shares.ts";
import type { MediaTools } from "./tools.ts";

export type RenderedOutput = {
  key: string;
  path: string;
  /** A JPEG of at most 360 pixels width. */
  thumbnailPath: string;
  durationSeconds: number;
  width: number;
  height: number;
};

export type RenderOptions = {
  tools: MediaTools;
  /** An existing or new folder for this run alone; the caller removes it. */
  scratchFolder: string;
  signal: AbortSignal;
  /** ffmpegs that encode pictures at a time; 1 where not given, since one keeps all cores busy. */
  concurrency?: number;
  onProgress: (progress: RenderProgress) => void;
  /** Called for one output after the other, each as soon as it is ready. Its files are removed when the promise resolves. */
  onOutput: (output: RenderedOutput) => Promise<void>;
};

/** An encoded stream, in a file of its own. */
type EncodedStream = { path: string; seconds: number };
export type RenderRun = {
  request: RenderRequest;
  plan: RenderPlan;
  options: RenderOptions;
  /** Aborts when the caller does, or when any part has failed. */
  signal: AbortSignal;
  streams: PartBoard<EncodedStream>;
  /** The key of the output that needs an encoded stream last; its file can go then. */
  lastUserOf: ReadonlyMap<string, string>;
  note: (part: string, share: number) => void;
  fileOf: (name: string) => string;
};
