import { cutSilences } from "#media/plan/cut-silences.ts";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import type { MediaFile, RenderRequest } from "#media/plan/render-plan.ts";
import { planFrames } from "#media/plan/plan-frames.ts";
import { findFillers } from "#media/subtitles/find-fillers.ts";
import { detectSpeech } from "#media/speech/detect-speech.ts";
import { type DetectedSpeech, SPEECH_MODEL } from "#media/speech/find-speech.ts";
import type { WorkerContext } from "../worker-context.ts";
import { keepAnalysis, windowsIn } from "./kept-analysis.ts";
import type { Attempt } from "./attempt.ts";
import type { Transcripts } from "./with-subtitles.ts";

/** For `keepAnalysis`. */
export function speechAnalysis({ revision }: MediaFile, window: Window, folder: string) {
  const seconds = window.endSeconds - window.startSeconds;
  return { kind: "speech", key: [SPEECH_MODEL, revision, window], seconds, folder };
}

/** Cuts silences and fillers out of all timelines if the job's settings say so. Throws what `detectSpeech` throws. */
export async function withoutSilences(
  worker: Pick<WorkerContext, "tools" | "streams">,
  { job, folder, signal }: Pick<Attempt, "job" | "folder" | "signal">,
  request: RenderRequest,
  transcripts: Transcripts,
): Promise<RenderRequest> {
  if (job.cut_silences_ms === 0 && !job.cut_fillers) return request;
  const detectedIn = new Map<number, DetectedSpeech | null>();
  const windows = windowsIn(request, ({ isBare }) => !isBare && job.cut_silences_ms > 0);
  for (const [source, window] of windows) {
    const file = request.sources[source]!;
    const likelihoods = await keepAnalysis(worker, speechAnalysis(file, window, folder), async () => {
      const detected = await detectSpeech(worker.tools, file, { window, folder, signal });
      return detected && detected.likelihoods;
    });
    detectedIn.set(source, likelihoods && { fromSeconds: window.startSeconds, likelihoods });
  }
  const fillersIn = new Map<number, Window[] | null>();
  for (const [source, spoken] of job.cut_fillers ? transcripts : []) {
    const { offsetSeconds } = planFrames(request.sources[source]!.probe);
    fillersIn.set(source, spoken && findFillers(spoken, offsetSeconds));
  }
  return cutSilences(request, detectedIn, job, fillersIn);
}
