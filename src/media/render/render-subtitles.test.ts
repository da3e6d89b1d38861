import path from "node:path";
import { expect, test } from "vitest";
import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import { JOB_DEFAULTS, streamSettings } from "#contract/job-settings/setting-values.ts";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { boxOfPixels, type Frame } from "#tests/support/media/measure.ts";
import { readAllFrames } from "#tests/support/media/read-all-frames.ts";
import { type ClipRequest, renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openTextDrawer } from "../captions/drawing/text-drawer.ts";
import { lookOf } from "../captions/layout/caption-shape.ts";
import { addSubtitles, distinctWords } from "../plan/subtitles/add-subtitles.ts";
import type { RenderRequest } from "../plan/render-plan.ts";
import { openStreamCache } from "./stream-cache.ts";
import { readSubtitles } from "../subtitles/read-subtitles.ts";
import type { Transcript } from "../subtitles/transcript.ts";

const folder = await makeScratchFolder();
const file = (name: string) => path.join(folder, name);
const RATE = 30_000 / 1_001;
const gray = file("gray.mp4");
await makeClip(gray, { width: 360, height: 640, seconds: 8, color: "gray", toneHz: null, framesPerSecond: RATE });

/** No two words are as wide, and their starts are no multiples of frames. */
const WORDS = ["one", "second", "is", "quite", "enough", "for", "anybody", "who", "reads", "subtitles"];
const spoken = WORDS.map((word, i) => ({ word, start: 0.31 + i * 0.737, end: 0.9 + i * 0.737 }));
const transcript = transcriptOf(spoken);
const corrected = transcriptOf(spoken.map((one) => (one.word === "reads" ? { ...one, word: "makes" } : one)));

const drawer = openTextDrawer();
const words = distinctWords([...transcript, ...corrected]);
const look = lookOf(streamSettings(JOB_DEFAULTS));
const measured = await drawer.measureWords(words, look, new AbortController().signal);

function transcriptOf(all: typeof spoken): Transcript {
  return readSubtitles(new TextEncoder().encode(JSON.stringify(all)));
}

type Shown = Pick<JobSettings, "subtitle_style"> & { windows?: Window[]; of?: Transcript | null };

function render(name: string, { subtitle_style, windows, of = transcript }: Shown, more: Partial<ClipRequest> = {}) {
  const cut = (request: RenderRequest) => {
    const outputs = request.outputs.map((output) => {
      const parts = output.parts.flatMap((part) => windows?.map((window) => ({ ...part, window })) ?? [part]);
      return { ...output, parts };
    });
    const settings = { subtitle_style, subtitle_position: null };
    return addSubtitles({ ...request, outputs }, new Map([[0, of]]), settings, { words, measured });
  };
  return renderClip(file(name), { source: gray, cut, ...more });
}

type Pixel = { red: number; green: number; blue: number };
const isWhite = ({ red, green, blue }: Pixel) => Math.min(red, green, blue) > 200;
const isAccent = ({ red, green, blue }: Pixel) => red > 200 && green > 150 && blue < 120;

/** Returns the times of frames that show another text than the frame before. */
function onsetsIn(frames: readonly Frame[]): number[] {
  const boxes = frames.map((frame) => boxOfPixels(frame, isWhite));
  const looks = boxes.map((box) => box && Math.round((box.right - box.left) / 4));
  return looks.flatMap((seen, i) => (seen !== null && Math.abs(seen - (looks[i - 1] ?? -9)) > 1 ? [i / RATE] : []));
}

test("each word appears when it is spoken, and words that are cut out never do", async () => {
  const windows = [
    { startSeconds: 0.2, endSeconds: 3 },
    { startSeconds: 4.1, endSeconds: 8 },
  ];
  const [output] = await render("words", { subtitle_style: "word", windows });
  const onsets = onsetsIn(await readAllFrames(output!.path));
  const wanted = spoken
    .filter(({ start, end }) => windows.some((window) => isIn(window, (start + end) / 2)))
    .map(({ start }) => (start < 3 ? start - 0.2 : Math.max(start, 4.1) - 4.1 + 2.8));
  expect(onsets).toHaveLength(wanted.length);
  const errors = onsets.map((onset, i) => Math.abs(onset - wanted[i]!)).toSorted((a, b) => a - b);
  expect(errors[Math.floor(errors.length / 2)]).toBeLessThan(0.02);
  expect(errors.at(-1)).toBeLessThan(0.04);
});

function isIn({ startSeconds, endSeconds }: Window, seconds: number): boolean {
  return seconds >= startSeconds && seconds < endSeconds;
}

test("karaoke fills a line word by word, and a box goes along it, below a caption of its own", async () => {
  for (const style of ["karaoke", "box"] as const) {
    const outputs = await render(style, { subtitle_style: style }, { captions: ["Hook", "Other"], variants: 2 });
    for (const { path: rendered } of outputs) {
      const frames = await readAllFrames(rendered);
      // Within the first line, which has the first four words.
      const seen = [0.5, 1.2, 1.9, 2.7].map((seconds) => boxOfPixels(frames[Math.round(seconds * RATE)]!, isAccent)!);
      const [first, second] = seen;
      expect(seen.every((box) => box.bottom < 420 && box.top > 220)).toBe(true);
      const [from, to] = style === "karaoke" ? [first!.left - 5, first!.left + 5] : [first!.right - 20, 360];
      expect(second!.left).toBeGreaterThan(from);
      expect(second!.left).toBeLessThan(to);
      expect(second!.right).toBeGreaterThan(first!.right + 40);
    }
  }
});

test("a corrected word encodes only the piece of each variant that shows it again", async () => {
  const streamCache = await openStreamCache(file("cache"), 1024 ** 3);
  const two = { captions: ["Hook", "Other"], variants: 2, streamCache };
  const subtitle_style = "karaoke";
  const first = await render("first", { subtitle_style }, two);
  const { misses } = streamCache.counts;
  expect(misses).toBe(4);
  const outputs = await render("again", { subtitle_style, of: corrected }, two);
  expect(streamCache.counts.misses - misses).toBe(2);
  for (const [i, { path: rendered }] of outputs.entries()) {
    const [old, frames] = [await readAllFrames(first[i]!.path), await readAllFrames(rendered)];
    expect(frames).toHaveLength(old.length);
    const changed = frames.flatMap((frame, at) => (Buffer.compare(frame.data, old[at]!.data) === 0 ? [] : [at]));
    expect(changed[0]! / RATE).toBeGreaterThan(3);
    // The last line.
    expect(changed).toContain(Math.round(7 * RATE));
  }
});

test("lines have one picture each, and a video without its file has a warning", async () => {
  const [lines] = await render("lines", { subtitle_style: "line" });
  const onsets = onsetsIn(await readAllFrames(lines!.path));
  expect(onsets[0]).toBeCloseTo(0.31, 1);
  expect(onsets.length).toBeLessThan(5);
  const [none] = await render("none", { subtitle_style: "line", of: null });
  expect(none!.warnings.get("0")).toMatchObject([{ code: "subtitles_not_shown" }]);
});
