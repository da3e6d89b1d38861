import { within } from "../cut-footage.ts";
import type { SpokenLine, Transcript } from "../../subtitles/transcript.ts";
import { type FrameRate, framesIn, secondsOf } from "../fit-size.ts";
import type { Cut, Layer, TimedDrawing, TimelinePart } from "../render-plan.ts";
import { type Paced, speedOf } from "../speed.ts";

type Part = Paced & { cut: Cut; offsetSeconds: number };

/** Maps a time on the source's clock to a frame of a part. It may lie outside of the part. */
function frameAt(seconds: number, { cut, offsetSeconds, ...paced }: Part, rate: FrameRate): number {
  return framesIn((seconds - offsetSeconds) / speedOf(paced), rate) - cut.firstFrame;
}

/** Returns what a part shows of drawings that have times on its source's clock. */
export function layInPart(drawings: readonly TimedDrawing[], part: Part, rate: FrameRate): Layer[] {
  const { frames } = part.cut;
  const starts = drawings.map(({ startSeconds }) => frameAt(startSeconds, part, rate));
  return drawings.flatMap(({ drawing, endSeconds }, i) => {
    const toFrame = Math.min(frameAt(endSeconds, part, rate), starts[i + 1] ?? Infinity, frames);
    const fromFrame = Math.max(starts[i]!, 0);
    if (toFrame <= fromFrame) return [];
    return within([{ drawing, shown: { fromFrame, toFrame, fadeInFrames: 0, fadeOutFrames: 0 } }], frames, 0);
  });
}

/** Returns the text of all parts' subtitles on the output's clock. `overlaps` are the frames that a part shares with the next. */
export function cuesAlong(
  parts: readonly TimelinePart[],
  laid: readonly Part[],
  overlaps: readonly number[],
  rate: FrameRate,
): Transcript {
  let next = 0;
  return parts.flatMap(({ cues = [], speed = 1 }, i) => {
    const first = next;
    const part = { ...laid[i]!, speed };
    next += part.cut.frames - overlaps[i]!;
    return cues.flatMap(({ words, ...times }): SpokenLine[] => {
      const fromFrame = Math.max(0, frameAt(times.startSeconds, part, rate));
      const toFrame = Math.min(part.cut.frames, frameAt(times.endSeconds, part, rate));
      if (toFrame <= fromFrame) return [];
      return [
        { startSeconds: secondsOf(first + fromFrame, rate), endSeconds: secondsOf(first + toFrame, rate), words },
      ];
    });
  });
}
