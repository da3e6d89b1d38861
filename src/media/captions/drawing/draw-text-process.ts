/** Started by `text-drawer.ts`, for one request at a time. */
import { codeOf } from "#ground/error-code.ts";
import type { CaptionLook } from "../layout/caption-shape.ts";
import { drawCaption, drawLayerText, type DrawnText, drawWatermark } from "./draw-text.ts";
import { drawSubtitle, type MeasuredWords, measureWords } from "./draw-subtitle.ts";
import { findTooLong, type TooLong } from "../layout/find-too-long.ts";
import type { Frame } from "../layout/frame-areas.ts";
import type { SubtitleText } from "../layout/lay-out-subtitle.ts";
import type { TextLook } from "../layout/lay-out-text.ts";

export type TextToDraw = { frame: Frame; path: string } & (
  | { kind: "caption"; text: string; look: CaptionLook }
  | { kind: "watermark"; text: string }
  | { kind: "text"; text: string; look: TextLook }
  | { kind: "subtitle"; subtitle: SubtitleText; look: CaptionLook }
);

type CaptionsToCheck = { captions: readonly string[]; look: CaptionLook; frame: Frame };

type WordsToMeasure = { words: readonly string[]; look: CaptionLook };

export type DrawingRequest = TextToDraw | CaptionsToCheck | WordsToMeasure;

/** Errors lose their system code when sent between processes, so it is sent separately. */
export type Reply<Result> = { result: Result } | { error: unknown; code: string | null };

process.on("message", (request: DrawingRequest) => {
  void reply(request).then((message) => process.send!(message, () => {}));
});
process.on("disconnect", () => process.exit());
// Ctrl+C reaches all processes of a terminal; this one exits with its parent.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});

async function reply(request: DrawingRequest): Promise<Reply<DrawnText | MeasuredWords | TooLong | null>> {
  try {
    if ("captions" in request) return { result: findTooLong(request.captions, request.look, request.frame) };
    if ("words" in request) return { result: measureWords(request.words, request.look) };
    return { result: await drawAsked(request) };
  } catch (error) {
    return { error, code: codeOf(error) };
  }
}

function drawAsked(request: TextToDraw): Promise<DrawnText> {
  const { frame, path } = request;
  if (request.kind === "subtitle") return drawSubtitle(request.subtitle, request.look, frame, path);
  const { text } = request;
  if (request.kind === "watermark") return drawWatermark(text, frame, path);
  if (request.kind === "caption") return drawCaption(text, request.look, frame, path);
  return drawLayerText(text, request.look, frame, path);
}
