import path from "node:path";
import { expect, test } from "vitest";
import { longestBlockMs } from "#tests/support/faults/longest-block-ms.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { boxOfPixels, framePixels } from "#tests/support/media/measure.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { captionAreaOf } from "../layout/frame-areas.ts";

const folder = await makeScratchFolder();
const gray = path.join(folder, "gray.mp4");
await makeClip(gray, { width: 360, height: 640, seconds: 0.5, color: "gray", toneHz: null });

const CAPTIONS = [
  "W",
  "Wait for the pour, ok",
  "Three sips in and the inbox looks smaller. ".repeat(5).slice(0, 200),
  "Three sips in and the inbox looks smaller. ".repeat(50).slice(0, 2_000),
  "😀👨‍👩‍👧‍👦🇩🇪".repeat(10),
  "مرحبا بالعالم، انتظر النهاية مع Clipmill",
  "今日はとても天気がいいので散歩に行きました。",
];

test.each([
  { style: "outline", position: "bottom", size: "medium" },
  { style: "box", position: "top", size: "large" },
] as const)("rendered captions in $style at the $position stay inside the safe area", async (captionLook) => {
  const request = { source: gray, captions: CAPTIONS, captionLook, variants: CAPTIONS.length };
  const outputs = await renderClip(path.join(folder, captionLook.style), request);
  const area = captionAreaOf({ width: 360, height: 640 });
  const edges = { top: area.top, bottom: area.bottom - 1 };
  for (const output of outputs) {
    const frame = await framePixels(output.path, 0.2);
    const drawn = boxOfPixels(frame, ({ red, green, blue }) =>
      [red, green, blue].some((value) => Math.abs(value - 128) > 40),
    )!;
    // Encoder blocks bleed by a pixel or two.
    expect(drawn.left).toBeGreaterThanOrEqual(area.left - 2);
    expect(drawn.right).toBeLessThanOrEqual(area.right + 2);
    expect(drawn.top).toBeGreaterThanOrEqual(area.top - 2);
    expect(drawn.bottom).toBeLessThanOrEqual(area.bottom + 2);
    const [edge, expected] = captionLook.position === "top" ? [drawn.top, edges.top] : [drawn.bottom, edges.bottom];
    // Letters may stop short of the edge of their line.
    expect(Math.abs(edge - expected)).toBeLessThan(14);
  }
});

test("a render with the worst allowed caption blocks the event loop for less than 50 ms", async () => {
  const request = { source: gray, captions: ["\u2067a".repeat(1_000)], captionLook: { size: "small" } as const };
  const stops: number[] = [];
  for (let run = 0; run < 3; run++) {
    stops.push(await longestBlockMs(() => renderClip(path.join(folder, `worst-${run}`), request)));
  }
  expect(Math.min(...stops)).toBeLessThan(50);
});
