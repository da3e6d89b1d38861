import path from "node:path";
import { expect, test } from "vitest";
import { JOB_DEFAULTS, streamSettings } from "#contract/job-settings/setting-values.ts";
import { FACE_CLIP, FACE_WIDTH, type FaceFrame, makeFaceClip, readCrop } from "#tests/support/media/make-face.ts";
import { readTestFfmpeg, testTools } from "#tests/support/media/media-tools.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { detectFaces } from "../faces/detect-faces.ts";
import { focusAt } from "../plan/focus/focus-path.ts";
import { bringTo, planFrames } from "../plan/plan-frames.ts";
import { probe } from "../probe/probe.ts";

const folder = await makeScratchFolder();
const file = path.join(folder, "walk.mp4");
const KEPT = (9 / 16) ** 2;
const FRAMES = 120;
const CUT = 83;
/** A quarter of the output's size. */
const SIZE = { width: 270, height: 480 };

/** Walks from left to right, stands, and is elsewhere after the cut, where it moves little. */
function walk(frame: number): FaceFrame & { middle: number } {
  if (frame >= CUT) return { middle: 0.2 + 0.02 * Math.sin(frame), ground: "#0a140a" };
  return { middle: 0.15 + 0.7 * Math.min(1, Math.max(0, (frame - 15) / 50)), ground: "#7f93b0" };
}

test("the face is inside in all frames, the crop moves on at most a fifth, and is exact at the cut", async () => {
  await makeFaceClip(
    file,
    Array.from({ length: FRAMES }, (_, frame) => walk(frame)),
  );
  const tools = await testTools();
  const source = { path: file, probe: await probe(tools, file), revision: file };
  const settings = { format: "9:16", fit_focus: "face", quality: "draft", caption_start_seconds: 3.1 } as const;
  const wanted = streamSettings({ ...JOB_DEFAULTS, ...settings });
  const plan = planFrames(source.probe, wanted);
  const window = { startSeconds: 0, endSeconds: source.probe.durationSeconds };
  const signal = new AbortController().signal;
  const faces = (await detectFaces(tools, source, { window, rate: plan.frameRate, folder, signal }))!;
  expect(faces.seen.filter(({ startsShot }) => startsShot).map(({ frame }) => frame)).toEqual([CUT]);
  for (const { frame, faces: found } of faces.seen) {
    expect(found).toHaveLength(1);
    expect(Math.abs(found[0]!.left + found[0]!.width / 2 - walk(frame).middle)).toBeLessThan(0.01);
  }

  const [output] = await renderClip(path.join(folder, "followed"), {
    ...{ source: file, captions: ["A"], captionLook: { position: "top" }, settings },
    cut: (request) => ({ ...request, sources: [{ ...request.sources[0], faces }] }),
  });
  const filters = ["-fps_mode", "passthrough", "-vf", `scale=${SIZE.width}:${SIZE.height},format=rgb24`];
  const { stdout } = await readTestFfmpeg(["-v", "error", "-i", output!.path, ...filters, "-f", "rawvideo", "-"]);
  const bytes = SIZE.width * SIZE.height * 3;
  expect(stdout.length).toBe(FRAMES * bytes);
  const shown = Array.from({ length: FRAMES }, (_, i) => readCrop(stdout.subarray(i * bytes, (i + 1) * bytes), SIZE));

  // The crop is where it was planned, to a pixel of the source. Conversions of the strip's gray are the same in all.
  const followed = bringTo(plan, { ...source, faces }, wanted).framing!.path!;
  const pixel = 1 / FACE_CLIP.width;
  const planned = shown.map((_, frame) => focusAt(followed, frame) * (1 - KEPT) + KEPT / 2);
  const errors = shown.map(({ middle }, frame) => middle - planned[frame]!);
  const bias = errors.toSorted((a, b) => a - b)[FRAMES / 2]!;
  expect(Math.abs(bias)).toBeLessThan(0.03);
  expect(errors.filter((error) => Math.abs(error - bias) > pixel)).toEqual([]);
  // None of the face is cut off.
  const least = Math.min(...shown.map(({ skin }) => skin));
  const median = shown.map(({ skin }) => skin).toSorted((a, b) => a - b)[FRAMES / 2]!;
  expect(least / median).toBeGreaterThan(0.97);
  const inside = shown.filter(
    ({ middle }, frame) => Math.abs(middle - bias - walk(frame).middle) < (KEPT - FACE_WIDTH) / 2,
  );
  expect(inside).toHaveLength(FRAMES);
  const moves = shown.flatMap(({ middle }, i) => (i > 0 && Math.abs(middle - shown[i - 1]!.middle) > pixel ? [i] : []));
  expect(moves.length).toBeLessThanOrEqual(FRAMES / 5);
  expect(moves.filter((frame) => frame > CUT - 5)).toEqual([CUT]);
}, 60_000);
