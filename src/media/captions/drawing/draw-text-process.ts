/** Started by `text-drawer.ts`, for one request at a time. */
import { codeOf } from "#ground/error-code.ts";
import type { CaptionLook } from "../layout/caption-shape.ts";
import { drawCaption, type DrawnText, drawWatermark } from "./draw-text.ts";
import { findTooLong, type TooLong } from "../layout/find-too-long.ts";
import type { Frame } from "../layout/frame-areas.ts";

/** A null look draws a watermark. */
export type TextToDraw = { text: string; look: CaptionLook | null; frame: Frame; path: string };

export type CaptionsToCheck = { captions: readonly string[]; look: CaptionLook; frame: Frame };

/** Errors lose their system code when sent between processes, so it is sent separately. */
export type Reply<Result> = { result: Result } | { error: unknown; code: string | null };

process.on("message", (request: TextToDraw | CaptionsToCheck) => {
  void reply(request).then((message) => process.send!(message, () => {}));
});
process.on("disconnect", () => process.exit());
// Ctrl+C reaches all processes of a terminal; this one exits with its parent.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});

async function reply(request: TextToDraw | CaptionsToCheck): Promise<Reply<DrawnText | TooLong | null>> {
  try {
    if ("captions" in request) return { result: findTooLong(request.captions, request.look, request.frame) };
    const { text, look, frame, path } = request;
    return { result: await (look ? drawCaption(text, look, frame, path) : drawWatermark(text, frame, path)) };
  } catch (error) {
    return { error, code: codeOf(error) };
  }
}
