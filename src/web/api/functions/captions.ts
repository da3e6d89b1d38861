/** The calls about captions of videos. All of them throw CallError. */
import type { CheckCaptionsRequest, CheckCaptionsResponse } from "#contract/calls.ts";
import type { AnalyzeVideosResponse } from "#contract/captions.ts";
import { callFunction } from "./call-function.ts";

/** Checks captions as a new job would. */
export function checkCaptions(request: CheckCaptionsRequest, signal: AbortSignal): Promise<CheckCaptionsResponse> {
  return callFunction("check-captions", request, { signal });
}

/** Begins to write captions of videos, and answers at once how things stand. */
export function startAnalysis(videoLinks: string[]): Promise<AnalyzeVideosResponse> {
  return callFunction("analyze-video-captions", { videoLinks, wait: false });
}

/** How things stand with a batch that was begun before. */
export function readAnalysis(batchId: string, signal?: AbortSignal): Promise<AnalyzeVideosResponse> {
  return callFunction("analyze-video-captions", { batchId, wait: false }, { signal });
}

/** Tries the videos of a batch again that have no caption. */
export function retryAnalysis(batchId: string): Promise<AnalyzeVideosResponse> {
  return callFunction("analyze-video-captions", { batchId, wait: false, action: "retry" });
}

/** Ends what is still to do of a batch. */
export function cancelAnalysis(batchId: string): Promise<AnalyzeVideosResponse> {
  return callFunction("analyze-video-captions", { batchId, wait: false, action: "cancel" });
}
