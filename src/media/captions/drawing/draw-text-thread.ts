/** Entry point of the thread that draws texts; `text-drawer.ts` starts it and makes one request at a time. */
import { parentPort } from "node:worker_threads";
import { codeOf } from "#ground/error-code.ts";
import type { CaptionLook } from "../layout/caption-look.ts";
import { drawCaption, type DrawnText, drawWatermark } from "./draw-text.ts";
import { findTooLong, type TooLong } from "../layout/find-too-long.ts";
import type { Frame } from "../layout/frame-areas.ts";

/** A text to draw to a PNG at `path`; without a look, it is a watermark. */
export type TextToDraw = { text: string; look: CaptionLook | null; frame: Frame; path: string };

/** Captions of which those are to be found that do not fit on an upright video. */
export type CaptionsToCheck = { captions: readonly string[]; look: CaptionLook };

/** The response. An error's system code is lost when it is copied between threads, so it is sent separately. */
export type Answer<Result> = { result: Result } | { error: unknown; code: string | null };

parentPort?.on("message", (request: TextToDraw | CaptionsToCheck) => {
  void answer(request).then((response) => parentPort?.postMessage(response, []));
});

async function answer(request: TextToDraw | CaptionsToCheck): Promise<Answer<DrawnText | TooLong | null>> {
  try {
    if ("captions" in request) return { result: findTooLong(request.captions, request.look) };
    const { text, look, frame, path } = request;
    return { result: await (look ? drawCaption(text, look, frame, path) : drawWatermark(text, frame, path)) };
  } catch (error) {
    return { error, code: codeOf(error) };
  }
}
