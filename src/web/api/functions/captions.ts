/** All calls throw CallError. */
import type { CheckCaptionsRequest, CheckCaptionsResponse } from "#contract/calls.ts";
import type { AnalyzeVideosResponse } from "#contract/captions.ts";
import { callFunction } from "./call-function.ts";

/** Returns why a job with these captions would be rejected, and its warnings. Does not create anything. */
export function checkCaptions(request: CheckCaptionsRequest, signal: AbortSignal): Promise<CheckCaptionsResponse> {
  return callFunction("check-captions", request, { signal });
}

/** Returns without waiting for the captions. */
export function startAnalysis(videoLinks: string[]): Promise<AnalyzeVideosResponse> {
  return callFunction("analyze-video-captions", { videoLinks, wait: false });
}

/** Returns a batch's current state. Throws a 404 once the server has deleted the batch, after some days. */
export function readAnalysis(batchId: string, signal?: AbortSignal): Promise<AnalyzeVideosResponse> {
  return callFunction("analyze-video-captions", { batchId, wait: false }, { signal });
}

/** Retries the videos without a caption. */
export function retryAnalysis(batchId: string): Promise<AnalyzeVideosResponse> {
  return callFunction("analyze-video-captions", { batchId, wait: false, action: "retry" });
}

/** Cancels the remaining videos. */
export function cancelAnalysis(batchId: string): Promise<AnalyzeVideosResponse> {
  return callFunction("analyze-video-captions", { batchId, wait: false, action: "cancel" });
}
