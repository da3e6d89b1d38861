/** All calls throw CallError. */
import type { CheckCaptionsRequest, CheckCaptionsResponse } from "#contract/calls.ts";
import type { AnalyzeVideosResponse } from "#contract/captions.ts";
import { callFunction } from "./call-function.ts";

/** Returns why such a job would be rejected, and warnings. Creates nothing. */
export function checkCaptions(request: CheckCaptionsRequest, signal: AbortSignal): Promise<CheckCaptionsResponse> {
  return callFunction("check-captions", request, { signal });
}

/** Returns immediately. */
export function startAnalysis(videoLinks: string[]): Promise<AnalyzeVideosResponse> {
  return callFunction("analyze-video-captions", { videoLinks, wait: false });
}

/** Throws a 404 after the server deleted the batch (after some days). */
export function readAnalysis(batchId: string, signal?: AbortSignal): Promise<AnalyzeVideosResponse> {
  return callFunction("analyze-video-captions", { batchId, wait: false }, { signal });
}

/** Retries only videos without a caption. */
export function retryAnalysis(batchId: string): Promise<AnalyzeVideosResponse> {
  return callFunction("analyze-video-captions", { batchId, wait: false, action: "retry" });
}

export function cancelAnalysis(batchId: string): Promise<AnalyzeVideosResponse> {
  return callFunction("analyze-video-captions", { batchId, wait: false, action: "cancel" });
}
