import { Counter, type Registry } from "prom-client";
import type { VideoEnd } from "#operations/jobs/videos/end-video.ts";

/** What the worker counts of its work. */
export type WorkerFigures = {
  /** A video has ended. */
  videoEnded(result: VideoEnd["status"]): void;
  /** An attempt at a video has failed, the last one or one that is tried again; `code` says why. */
  attemptFailed(code: string): void;
  /** Outputs of one video were rendered. */
  rendered(seconds: number): void;
  /** An output's finished file is in storage; `bytes` is 0 where it shares another output's. */
  outputStored(output: { mediaSeconds: number; bytes: number }): void;
};

/** Counters of a worker in a registry; once for each registry. */
export function createWorkerFigures(registry: Registry): WorkerFigures {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const ended = counter("clipmill_videos_ended_total", "Videos that have ended, by result.", ["result"]);
  const failed = counter("clipmill_attempts_failed_total", "Attempts at a video that failed, by reason.", ["reason"]);
  const renderSeconds = counter("clipmill_render_seconds_total", "Time spent rendering, summed over videos.");
  const mediaSeconds = counter("clipmill_output_media_seconds_total", "Length of the finished outputs.");
  const outputs = counter("clipmill_outputs_stored_total", "Finished outputs that were stored.");
  const bytes = counter("clipmill_output_bytes_stored_total", "Bytes of the finished outputs that were stored.");
  // A result that never happened is 0 and not missing, so that rates and alerts work from the first one on.
  for (const result of ["Completed", "Failed", "Cancelled"]) ended.inc({ result }, 0);
  return {
    videoEnded: (result) => ended.inc({ result }),
    attemptFailed: (reason) => failed.inc({ reason }),
    rendered: (seconds) => renderSeconds.inc(seconds),
    outputStored(output) {
      outputs.inc();
      bytes.inc(output.bytes);
      mediaSeconds.inc(output.mediaSeconds);
    },
  };
}
