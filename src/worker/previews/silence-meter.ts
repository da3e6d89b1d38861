import { setTimeout as delay } from "node:timers/promises";
import type { SilencesResponse } from "#contract/calls.ts";
import { partOf, type Window } from "#contract/jobs/outputs/assignment.ts";
import { createTurns } from "#ground/slots.ts";
import { untilAborted } from "#ground/until-aborted.ts";
import { findCuts, leaveOut } from "#media/plan/cut-silences.ts";
import type { FrameRate } from "#media/plan/fit-size.ts";
import { planFrames } from "#media/plan/plan-frames.ts";
import { detectSpeech } from "#media/speech/detect-speech.ts";
import type { DetectedSpeech } from "#media/speech/find-speech.ts";
import type { MeasureSilences } from "#operations/previews/measure-silences.ts";
import type { PreviewVideos } from "../captions/preview-videos.ts";
import { makeScratch } from "../sources/scratch.ts";
import type { WorkerContext } from "../worker-context.ts";

/** Afterwards, the client polls. */
const MAX_WAIT_MS = 4_000;
const MAX_KEPT = 20;
const FRESH_MS = 10 * 60_000;

type Analysis = { window: Window; detected: DetectedSpeech | null; rate: FrameRate };

/** Analyzes one video at a time, and keeps results for 10 minutes: other settings need no new analysis. */
export function createSilenceMeter(
  worker: Pick<WorkerContext, "tools">,
  { withVideo }: Pick<PreviewVideos, "withVideo">,
  scratchRoot: string,
): { measure: MeasureSilences; stop(): Promise<void> } {
  /** Oldest first. */
  const analyses = new Map<string, { result: Promise<Analysis>; startedAt: number }>();
  const stopping = new AbortController();
  const inTurn = createTurns();

  const analyze = (link: string, part: Parameters<typeof partOf>[1]): Promise<Analysis> =>
    withVideo(link, stopping.signal, (video) =>
      inTurn(async () => {
        stopping.signal.throwIfAborted();
        await using scratch = await makeScratch(scratchRoot, "speech");
        const { durationSeconds } = video.probe;
        const window = partOf(durationSeconds, part) ?? { startSeconds: 0, endSeconds: durationSeconds };
        const place = { window, folder: scratch.folder, signal: stopping.signal };
        const detected = await detectSpeech(worker.tools, video, place);
        return { window, detected, rate: planFrames(video.probe).frameRate };
      }),
    );

  const begin = (link: string, part: Parameters<typeof partOf>[1]): Promise<Analysis> => {
    const key = JSON.stringify([link, part.start_seconds, part.end_seconds]);
    for (const [known, { startedAt }] of analyses) {
      if (analyses.size >= MAX_KEPT || performance.now() > startedAt + FRESH_MS) analyses.delete(known);
    }
    const entry = analyses.get(key) ?? { result: analyze(link, part), startedAt: performance.now() };
    analyses.set(key, entry);
    entry.result.catch(() => analyses.delete(key));
    return entry.result;
  };

  return {
    async measure({ input_video: link, ...settings }, { signal }) {
      const waiting = new AbortController();
      try {
        const timer = delay(MAX_WAIT_MS, null, { signal: waiting.signal });
        const analysis = await untilAborted(Promise.race([begin(link, settings), timer]), signal);
        if (analysis === null) return { seconds: null, cut_seconds: null, has_speech: null };
        return toResponse(analysis, settings);
      } finally {
        waiting.abort();
      }
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled([...analyses.values()].map(({ result }) => result));
    },
  };
}

function toResponse({ window, detected, rate }: Analysis, settings: Parameters<typeof findCuts>[1]): SilencesResponse {
  const kept = detected && leaveOut(window, findCuts(detected, settings, rate), { rate });
  const seconds = window.endSeconds - window.startSeconds;
  const keptSeconds = (kept ?? [window]).reduce((sum, part) => sum + part.endSeconds - part.startSeconds, 0);
  return { seconds, cut_seconds: seconds - keptSeconds, has_speech: kept !== null };
}
