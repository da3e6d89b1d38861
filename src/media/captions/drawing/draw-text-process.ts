/** Started by `text-drawer.ts`, for one request at a time. */
import { codeOf } from "#ground/error-code.ts";
import type { CaptionLook } from "../layout/caption-shape.ts";
import { drawCaption, drawLayerText, type DrawnText, drawWatermark } from "./draw-text.ts";
import { findTooLong, type TooLong } from "../layout/find-too-long.ts";
import type { Frame } from "../layout/frame-areas.ts";
import type { TextLook } from "../layout/lay-out-text.ts";

export type TextToDraw = { text: string; frame: Frame; path: string } & (
  | { kind: "caption"; look: CaptionLook }
  | { kind: "watermark" }
  | { kind: "text"; look: TextLook }
);

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
    return { result: await drawAsked(request) };
  } catch (error) {
    return { error, code: codeOf(error) };
  }
}

function drawAsked(request: TextToDraw): Promise<DrawnText> {
  const { text, frame, path } = request;
  if (request.kind === "watermark") return drawWatermark(text, frame, path);
  if (request.kind === "caption") return drawCaption(text, request.look, frame, path);
  return drawLayerText(text, request.look, frame, path);
}
