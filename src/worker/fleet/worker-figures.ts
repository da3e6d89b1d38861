import { Counter, type Registry } from "prom-client";
import { FAILURES } from "#contract/jobs/failures.ts";
import type { VideoEnd } from "#operations/jobs/videos/end-video.ts";

export type WorkerFigures = {
  videoEnded(result: VideoEnd["status"]): void;
  /** Counts every failed attempt, final or not. */
  attemptFailed(code: string): void;
  rendered(seconds: number): void;
  /** Of another worker's video. */
  runDelivered(): void;
  /** `bytes` is 0 if outputs share the file. */
  outputStored(output: { mediaSeconds: number; bytes: number }): void;
};

/** Call once per registry. */
export function createWorkerFigures(registry: Registry): WorkerFigures {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const ended = counter("clipmill_videos_ended_total", "Ended videos, by result.", ["result"]);
  const failed = counter("clipmill_attempts_failed_total", "Failed attempts at a video, by reason.", ["reason"]);
  const renderSeconds = counter("clipmill_render_seconds_total", "Total time spent rendering, summed over videos.");
  const mediaSeconds = counter("clipmill_output_media_seconds_total", "Total duration of finished outputs.");
  const outputs = counter("clipmill_outputs_stored_total", "Finished outputs stored.");
  const runs = counter("clipmill_runs_delivered_total", "Runs of other workers' videos encoded by this worker.");
  const bytes = counter("clipmill_output_bytes_stored_total", "Bytes of finished outputs stored.");
  // Start at 0, so that rates and alerts work from the first event.
  for (const result of ["Completed", "Failed", "Cancelled"]) ended.inc({ result }, 0);
  for (const reason of Object.keys(FAILURES)) failed.inc({ reason }, 0);
  return {
    videoEnded: (result) => ended.inc({ result }),
    attemptFailed: (reason) => failed.inc({ reason }),
    rendered: (seconds) => renderSeconds.inc(seconds),
    runDelivered: () => runs.inc(),
    outputStored(output) {
      outputs.inc();
      bytes.inc(output.bytes);
      mediaSeconds.inc(output.mediaSeconds);
    },
  };
}
