/** Calls for captions of videos. All throw CallError. */
import type { CheckCaptionsRequest, CheckCaptionsResponse } from "#contract/calls.ts";
import type { AnalyzeVideosResponse } from "#contract/captions.ts";
import { callFunction } from "./call-function.ts";

/** Checks captions as a new job would. */
export function checkCaptions(request: CheckCaptionsRequest, signal: AbortSignal): Promise<CheckCaptionsResponse> {
  return callFunction("check-captions", request, { signal });
}

/** Starts captioning and returns the batch's state without waiting. */
export function startAnalysis(videoLinks: string[]): Promise<AnalyzeVideosResponse> {
  return callFunction("analyze-video-captions", { videoLinks, wait: false });
}

/** Returns the current state of a batch. */
export function readAnalysis(batchId: string, signal?: AbortSignal): Promise<AnalyzeVideosResponse> {
  return callFunction("analyze-video-captions", { batchId, wait: false }, { signal });
}

/** Retries the videos of a batch that have no caption. */
export function retryAnalysis(batchId: string): Promise<AnalyzeVideosResponse> {
  return callFunction("analyze-video-captions", { batchId, wait: false, action: "retry" });
}

/** Cancels the remaining videos of a batch. */
export function cancelAnalysis(batchId: string): Promise<AnalyzeVideosResponse> {
  return callFunction("analyze-video-captions", { batchId, wait: false, action: "cancel" });
}
