import { cutSilences } from "#media/plan/cut-silences.ts";
import type { RenderRequest } from "#media/plan/render-plan.ts";
import { detectSpeech } from "#media/speech/detect-speech.ts";
import { type HeardSpeech, SPEECH_MODEL } from "#media/speech/find-speech.ts";
import type { WorkerContext } from "../worker-context.ts";
import { keepAnalysis, windowsIn } from "./kept-analysis.ts";
import type { Attempt } from "./attempt.ts";

/** Cuts silences out of all timelines if the job's settings say so. Throws what `detectSpeech` throws. */
export async function withoutSilences(
  worker: Pick<WorkerContext, "tools" | "streams">,
  { job, folder, signal }: Pick<Attempt, "job" | "folder" | "signal">,
  request: RenderRequest,
): Promise<RenderRequest> {
  if (job.cut_silences_ms === 0) return request;
  const heardIn = new Map<number, HeardSpeech | null>();
  for (const [source, window] of windowsIn(request, ({ isBare }) => !isBare)) {
    const file = request.sources[source]!;
    const key = [SPEECH_MODEL, file.revision, window];
    const seconds = window.endSeconds - window.startSeconds;
    const likelihoods = await keepAnalysis(worker, { kind: "speech", key, seconds, folder }, async () => {
      const heard = await detectSpeech(worker.tools, file, { window, folder, signal });
      return heard && heard.likelihoods;
    });
    heardIn.set(source, likelihoods && { fromSeconds: window.startSeconds, likelihoods });
  }
  return cutSilences(request, heardIn, job);
}
