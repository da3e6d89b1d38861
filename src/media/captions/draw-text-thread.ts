/** Entry point of the thread that draws texts; `text-drawer.ts` starts it and requests one drawing at a time. */
import { parentPort } from "node:worker_threads";
import type { CaptionLook } from "./caption-look.ts";
import { drawCaption, type DrawnText, drawWatermark } from "./draw-text.ts";
import type { Frame } from "./frame-areas.ts";

/** A text to draw to a PNG at `path`; without a look, it is a watermark. */
export type TextToDraw = { text: string; look: CaptionLook | null; frame: Frame; path: string };

/** The response. An error's system code is lost when it is copied between threads, so it is sent separately. */
export type DrawnAnswer = DrawnText | { error: unknown; code: string | null };

parentPort?.on("message", (asked: TextToDraw) => {
  void answer(asked).then((answered) => parentPort?.postMessage(answered, []));
});

async function answer({ text, look, frame, path }: TextToDraw): Promise<DrawnAnswer> {
  try {
    return await (look ? drawCaption(text, look, frame, path) : drawWatermark(text, frame, path));
  } catch (error) {
    return { error, code: codeOf(error) };
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error ? String(error.code) : null;
}
