import * as fc from "fast-check";
import { expect, test } from "vitest";
import { assignOutputs, type Segmentation } from "#contract/jobs/outputs/assignment.ts";
import { JOB_DEFAULTS, streamSettings } from "#contract/job-settings/setting-values.ts";
import { sha256Of } from "#ground/checksum.ts";
import { PHONE_CLIP } from "#tests/support/media/probes/phone-clip.ts";
import { createDrawings } from "../layers.ts";
import { gatherRuns } from "../picture-runs.ts";
import { planRender } from "../plan-render.ts";
import type { RenderRequest } from "../render-plan.ts";
import { soundKey, stretchKey } from "../stream-keys.ts";
import { withChunks } from "./with-chunks.ts";

type Asked = {
  seconds: number;
  captions?: number;
  segmentation?: Segmentation;
  size?: { width: number; height: number };
  settings?: Partial<RenderRequest["settings"]>;
};

function ask({ seconds, captions = 1, segmentation = null, size, settings: changed }: Asked): RenderRequest {
  const settings = streamSettings({ ...JOB_DEFAULTS, ...changed });
  const drawings = createDrawings();
  const variants = Math.max(1, captions);
  const outputs = assignOutputs({ durationSeconds: seconds, variants, captions, tracks: 0, segmentation }).map(
    ({ window, captionIndex }, i) => ({
      key: String(i),
      parts: [{ source: 0, window }],
      layers: captionIndex === null ? [] : [drawings.captionLayer(`Caption ${captionIndex}`, settings)],
      trackIndex: null,
    }),
  );
  const probe = { ...PHONE_CLIP, durationSeconds: seconds, video: { ...PHONE_CLIP.video!, ...size } };
  const source = { path: "source.mp4", probe, revision: "source" };
  return { sources: [source], tracks: [], drawings: drawings.drawings, settings, outputs };
}

function keysOf(asked: RenderRequest): string[] {
  const plan = planRender(asked);
  const drawn = new Map(asked.drawings.map((_spec, i) => [i, { hash: `drawing ${i}`, x: i, y: 2 * i }]));
  return [
    ...plan.stretches.map((stretch) => stretchKey(stretch, plan, asked, drawn, { name: "software", version: "7" })),
    ...plan.sounds.map((sound) => soundKey(sound, plan, asked, "7")),
  ];
}

function runsOf(asked: RenderRequest) {
  const plan = planRender(asked);
  return gatherRuns(plan.stretches, plan.width * plan.height);
}

test.each<[string, Asked]>([
  ["a short video with many captions", { seconds: 60, captions: 100 }],
  ["a long video in short clips", { seconds: 1_200, segmentation: { type: "multiple", segmentSeconds: 15 } }],
  ["a long, small video", { seconds: 1_200, size: { width: 180, height: 320 } }],
  ["a long video that is copied", { seconds: 7_200, captions: 0 }],
])("leaves %s as it is", (_, asked) => {
  const plain = ask(asked);
  expect(withChunks(plain)).toBe(plain);
});

test("encodes a long video in runs of about half a minute, with as many keyframes as before", () => {
  const runs = runsOf(withChunks(ask({ seconds: 1_200, captions: 8 })));
  expect(runs).toHaveLength(36);
  for (const { cuts, lines, encoders } of runs) {
    expect([cuts.length, lines.length, encoders]).toEqual([1, 8, 8]);
    expect(cuts[0]!.frames).toBe(1_000);
  }
});

test("encodes the rest of a long video in the same runs, with as many threads, after some of its outputs are stored", () => {
  const whole = withChunks(ask({ seconds: 1_200, captions: 3 }));
  const rest = { ...whole, outputs: whole.outputs.slice(2) };
  expect(runsOf(rest).map(({ cuts, encoders }) => [cuts, encoders])).toEqual(
    runsOf(whole).map(({ cuts, encoders }) => [cuts, encoders]),
  );
  const keys = new Set(keysOf(whole));
  expect(keysOf(rest).every((key) => keys.has(key))).toBe(true);
});

test("loses and repeats no frame, and no fade, whatever is asked", () => {
  const asked = fc.record({
    seconds: fc.double({ min: 320, max: 4_000, noNaN: true }),
    captions: fc.integer({ min: 1, max: 12 }),
    settings: fc.record({
      caption_start_seconds: fc.double({ min: 0, max: 400, noNaN: true }),
      caption_end_seconds: fc.option(fc.double({ min: 401, max: 5_000, noNaN: true })),
      caption_fade: fc.constantFrom(0, 200, 1_000) as fc.Arbitrary<0>,
      platform: fc.constantFrom(null, "shorts" as const),
    }),
  });
  fc.assert(
    fc.property(asked, (one) => {
      const plain = ask(one);
      const [before, after] = [planRender(plain), planRender(withChunks(plain))];
      for (const [i, { picture }] of after.outputs.entries()) {
        const whole = before.outputs[i]!.picture;
        expect(picture.from).toBe(whole.from);
        if (picture.from !== "encoded" || whole.from !== "encoded") continue;
        expect(shownIn(after.stretches, picture.stretches)).toEqual(shownIn(before.stretches, whole.stretches));
      }
      const { width, height, frameRate } = after;
      expect({ width, height, frameRate }).toEqual({
        width: before.width,
        height: before.height,
        frameRate: before.frameRate,
      });
    }),
    { numRuns: 60 },
  );
});

/** Consecutive ranges of frames with their layers, in frames of the source. */
function shownIn(stretches: ReturnType<typeof planRender>["stretches"], ids: readonly string[]): string[] {
  const byId = new Map(stretches.map((stretch) => [stretch.id, stretch]));
  const ranges: { from: number; to: number; layers: string }[] = [];
  for (const id of ids) {
    const { cut, layers } = byId.get(id)!;
    const places = new Set<number>([0, cut.frames]);
    for (const { shown } of layers) {
      if (!shown) continue;
      const { fromFrame, toFrame, fadeInFrames, fadeOutFrames } = shown;
      for (const frame of [fromFrame, fromFrame + fadeInFrames, toFrame - fadeOutFrames, toFrame]) places.add(frame);
    }
    const edges = [...places].toSorted((a, b) => a - b);
    for (const [i, to] of edges.slice(1).entries()) {
      const from = edges[i]!;
      const seen = layers.map(({ drawing, shown }) => {
        if (!shown) return `${drawing}`;
        const { fromFrame, toFrame, fadeInFrames, fadeOutFrames } = shown;
        if (to <= fromFrame || from >= toFrame) return "";
        return `${drawing}${from < fromFrame + fadeInFrames ? " in" : ""}${to > toFrame - fadeOutFrames ? " out" : ""}`;
      });
      const range = { from: cut.firstFrame + from, to: cut.firstFrame + to, layers: seen.join() };
      const last = ranges.at(-1);
      if (last && last.to === range.from && last.layers === range.layers) last.to = range.to;
      else ranges.push(range);
    }
  }
  return ranges.map(({ from, to, layers }) => `${from}-${to} ${layers}`);
}

/** From before there were chunks. Change it only with ENGINE_VERSION: other keys have all streams encoded again. */
const KEYS_BEFORE = "092a234be9371847f7b0c960a9cc6892e2b5774af3b853590faf71a0643ea2fb";

test("ordinary videos keep the keys of their streams", () => {
  const timing = { caption_start_seconds: 2, caption_end_seconds: 5 };
  const all = [
    ...[3, 15, 59.94, 290].map((seconds) => ask({ seconds, captions: 4 })),
    ...[1, 20].map((captions) => ask({ seconds: 15, captions, settings: timing })),
    ask({ seconds: 90, captions: 3, segmentation: { type: "multiple", segmentSeconds: 15 } }),
    ask({ seconds: 30, captions: 2, settings: { platform: "shorts", format: "1:1", fit: "blur" } }),
    ask({ seconds: 30, captions: 2, settings: { codec: "hevc", quality: "high" } }),
  ];
  expect(sha256Of(JSON.stringify(all.map((plain) => keysOf(withChunks(plain)))))).toBe(KEYS_BEFORE);
});
