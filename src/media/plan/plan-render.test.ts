import * as fc from "fast-check";
import { expect, test } from "vitest";
import { assignOutputs, type Segmentation } from "#contract/jobs/outputs/assignment.ts";
import { JOB_DEFAULTS, streamSettings } from "#contract/job-settings/setting-values.ts";
import type { Probe } from "../probe/probe-report.ts";
import { outputFrameRate } from "./fit-size.ts";
import { PHONE_CLIP } from "#tests/support/media/probes/phone-clip.ts";
import { createDrawings } from "./layers.ts";
import { planRender } from "./plan-render.ts";
import { gatherRuns } from "./picture-runs.ts";
import { soundKey } from "./stream-keys.ts";
import type { Layer, MediaFile, PictureRun, RenderPlan, RenderRequest } from "./render-plan.ts";
import { cutParts, putAround } from "./timeline/timeline.ts";

function request(input: {
  captions?: number;
  tracks?: number;
  variants?: number;
  texts?: string[];
  watermark?: string;
  settings?: Partial<RenderRequest["settings"]>;
  segmentation?: Segmentation;
  probe?: Probe;
  intro?: MediaFile;
  outro?: MediaFile;
}): RenderRequest {
  const { captions = 0, tracks = 0, variants = 1, segmentation = null, probe = PHONE_CLIP } = input;
  const { durationSeconds } = probe;
  const assignments = assignOutputs({ durationSeconds, variants, captions, tracks, segmentation });
  const music = { ...PHONE_CLIP, video: null };
  const source = { path: "source.mp4", probe, revision: "source" };
  const { sources, around } = putAround([source], { intro: input.intro ?? null, outro: input.outro ?? null });
  const drawings = createDrawings();
  const settings = streamSettings({ ...JOB_DEFAULTS, audio_mode: "mix", ...input.settings });
  const watermark = drawings.watermarkLayers({ text: input.watermark ?? null, image: null }, settings);
  const captionOf = (index: number) => (input.texts ?? [])[index] ?? `Caption ${index}`;
  return {
    sources,
    tracks: Array.from({ length: tracks }, (_, i) => ({ path: `track-${i}.mp3`, probe: music, revision: `${i}` })),
    drawings: drawings.drawings,
    settings,
    outputs: assignments.map(({ window, captionIndex, trackIndex }, i) => ({
      key: String(i),
      parts: around([{ source: 0, window }]),
      layers: [
        ...watermark,
        ...(captionIndex === null ? [] : [drawings.captionLayer(captionOf(captionIndex), settings)]),
      ],
      trackIndex,
    })),
  };
}

function runsOf(plan: RenderPlan): PictureRun[] {
  return gatherRuns(plan.stretches, plan.width * plan.height);
}

test("one caption and five tracks need one picture and five sounds", () => {
  const plan = planRender(request({ captions: 1, tracks: 5, variants: 5 }));
  expect(plan.stretches).toHaveLength(1);
  expect(plan.sounds).toHaveLength(5);
  expect(plan.outputs).toHaveLength(5);
});

test("four captions and one track need four pictures, decoded once, and one sound", () => {
  const plan = planRender(request({ captions: 4, tracks: 1, variants: 4 }));
  expect(runsOf(plan).map(({ lines }) => lines.length)).toEqual([4]);
  expect(plan.sounds).toHaveLength(1);
});

test("a duplicate caption is drawn on one picture", () => {
  const twice = request({ captions: 2, variants: 2, texts: ["Same", "Same"] });
  expect(planRender(twice).stretches).toHaveLength(1);
});

function clip(frames: number, i: number): MediaFile {
  return { path: `${i}.mp4`, revision: `${i}`, probe: { ...PHONE_CLIP, durationSeconds: frames / 30 } };
}

test("transitions take up to half of either part, and leave no stretch of one frame, which cannot be joined", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 3, max: 90 }), { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 0, max: 30 }),
      (lengths, fade) => {
        const sources = lengths.map(clip) as [MediaFile, ...MediaFile[]];
        const bare = request({});
        const parts = sources.map((_, source) => ({ source, window: null }));
        const plan = planRender({
          ...{ ...bare, sources, outputs: [{ ...bare.outputs[0]!, parts }] },
          settings: { ...bare.settings, transition_seconds: fade / 30 },
        });
        const stretches = new Map(plan.stretches.map((stretch) => [stretch.id, stretch]));
        const { picture, seconds } = plan.outputs[0]!;
        const ids = picture.from === "encoded" ? picture.stretches : [];
        const frames = ids.map((id) => stretches.get(id)!.cut.frames);
        expect(Math.min(...frames)).toBeGreaterThan(1);
        expect(frames.reduce((sum, count) => sum + count, 0)).toBe(Math.round(seconds * 30));
        const { parts: sounds, seconds: total } = plan.sounds[0]!;
        const overlaps = sounds.reduce((sum, sound) => sum + (sound.fade?.isOverlap ? sound.fade.seconds : 0), 0);
        expect(sounds.reduce((sum, sound) => sum + sound.seconds, 0) - overlaps).toBeCloseTo(total, 6);
      },
    ),
  );
});

test("a window that ends near a join ends at it", () => {
  const parts = [0, 1].map((source) => ({ source, window: null, seconds: source === 0 ? 5.03 : 4 }));
  const windowOf = (startSeconds: number, endSeconds: number) => cutParts(parts, { startSeconds, endSeconds });
  expect(windowOf(0, 5)).toEqual([{ source: 0, window: null }]);
  expect(windowOf(5, 9.03)).toEqual([{ source: 1, window: null }]);
  // The start of the whole is not a join.
  expect(windowOf(0.05, 5)).toEqual([{ source: 0, window: { startSeconds: 0.05, endSeconds: 5.03 } }]);
  expect(cutParts([parts[0]!], { startSeconds: 0.05, endSeconds: 5 })).toEqual([
    { source: 0, window: { startSeconds: 0.05, endSeconds: 5 } },
  ]);
  expect(windowOf(4, 6)).toEqual([
    { source: 0, window: { startSeconds: 4, endSeconds: 5.03 } },
    { source: 1, window: { startSeconds: 0, endSeconds: expect.closeTo(0.97, 6) as number } },
  ]);
});

test("pictures are encoded eight at a time, large ones fewer", () => {
  const plan = planRender(request({ captions: 20, variants: 20 }));
  expect(runsOf(plan).map(({ lines }) => lines.length)).toEqual([8, 8, 4]);
  const large = { ...PHONE_CLIP, video: { ...PHONE_CLIP.video!, width: 2_160, height: 3_840 } };
  const planOfLarge = planRender(request({ captions: 3, variants: 3, probe: large }));
  expect(runsOf(planOfLarge).map(({ lines }) => lines.length)).toEqual([2, 1]);
});

test("picture and sound are copied when nothing is drawn or cut", () => {
  const plan = planRender(request({ variants: 3 }));
  expect(plan.stretches).toEqual([]);
  expect(plan.sounds).toEqual([]);
  expect(plan.outputs.map(({ picture, sound }) => [picture.from, sound.from])).toEqual(
    Array.from({ length: 3 }, () => ["source", "source"]),
  );
});

test("a layer or caption that starts after the end leaves the picture a copy", () => {
  const plan = planRender(request({ captions: 1, settings: { caption_start_seconds: 60 } }));
  expect(plan.stretches).toEqual([]);
  expect(plan.outputs[0]).toMatchObject({ picture: { from: "source" }, lacksCaption: true });
});

test("music alone encodes no picture", () => {
  const plan = planRender(request({ tracks: 2, variants: 2 }));
  expect(plan.stretches).toEqual([]);
  expect(plan.sounds).toHaveLength(2);
});

test("the picture is encoded for a watermark, a cut or a source that cannot be copied", () => {
  const { video } = PHONE_CLIP;
  const unfit = [
    { codec: "hevc" },
    { pixelFormat: "yuv420p10le" },
    { rotation: 90 },
    { isPlaced: true },
    { width: 1081 },
    { hasSquarePixels: false },
    { framesPerSecond: 120 },
    { isInterlaced: true },
    { startsWithKeyFrame: false },
    { hidesFrames: true },
  ];
  expect(planRender(request({ watermark: "@us" })).stretches).toHaveLength(1);
  expect(planRender(request({ segmentation: { type: "single", segmentSeconds: 3 } })).stretches).toHaveLength(1);
  for (const change of unfit) {
    const probe = { ...PHONE_CLIP, video: { ...video!, ...change } };
    expect(planRender(request({ probe })).stretches).toHaveLength(1);
  }
});

test("a silent source without music makes outputs without sound", () => {
  const plan = planRender(request({ captions: 1, probe: { ...PHONE_CLIP, audio: null } }));
  expect(plan.sounds).toEqual([]);
  expect(plan.outputs[0]?.sound).toEqual({ from: "nothing" });
});

test("outputs that end before their caption starts are marked, and share a picture without one", () => {
  const segmentation = { type: "multiple", segmentSeconds: 6 } as const;
  const asked = request({ captions: 2, variants: 2, segmentation, settings: { caption_start_seconds: 5 } });
  const plan = planRender(asked);
  expect(plan.outputs.map(({ lacksCaption }) => lacksCaption)).toEqual([false, true, false, true]);
  expect(plan.outputs[1]!.picture).toEqual(plan.outputs[3]!.picture);
  const textsOf = (layers: readonly Layer[]) => layers.map(({ drawing }) => asked.drawings[drawing]);
  expect(plan.stretches.map(({ cut, layers }) => [cut.firstFrame, cut.frames, textsOf(layers)])).toEqual([
    [0, 150, []],
    [150, 30, [{ kind: "caption", text: "Caption 0" }]],
    [180, 120, []],
    [150, 30, [{ kind: "caption", text: "Caption 1" }]],
  ]);
});

test("consecutive clips neither lose nor repeat a frame", () => {
  const probe = { ...PHONE_CLIP, video: { ...PHONE_CLIP.video!, framesPerSecond: 30_000 / 1_001 } };
  const plan = planRender(request({ probe, segmentation: { type: "multiple", segmentSeconds: 3.3 } }));
  const [run] = runsOf(plan);
  const cuts = run!.cuts;
  expect(cuts).toHaveLength(3);
  expect(cuts.reduce((sum, { frames }) => sum + frames, 0)).toBe(300);
  cuts.slice(1).forEach((cut, i) => {
    expect(cut.startSeconds).toBeCloseTo(cuts[i]!.startSeconds + cuts[i]!.seconds, 9);
  });
});

test("consecutive clips of a caption are encoded together, and all captions share one decode", () => {
  const plan = planRender(request({ captions: 2, variants: 2, segmentation: { type: "multiple", segmentSeconds: 5 } }));
  expect(runsOf(plan).map(({ cuts, lines }) => [cuts.length, lines.map(({ ids }) => ids.length)])).toEqual([
    [2, [2, 2]],
  ]);
  expect(plan.sounds).toHaveLength(2);
});

test("clips that are not consecutive get separate lines, and long lines are split", () => {
  const segmentation = { type: "multiple", segmentSeconds: 100 } as const;
  const probe = { ...PHONE_CLIP, durationSeconds: 1_500 };
  const { stretches, width, height } = planRender(request({ captions: 1, probe, segmentation }));
  const lengthsOf = (wanted: typeof stretches) => gatherRuns(wanted, width * height).map(({ cuts }) => cuts.length);
  expect(lengthsOf(stretches)).toEqual([6, 6, 3]);
  expect(lengthsOf(stretches.filter((_, i) => i < 6 && i !== 2))).toEqual([2, 3]);
});

test("clips of equal length from the middle share one music-only sound", () => {
  const input = { tracks: 1, probe: { ...PHONE_CLIP, durationSeconds: 50 } };
  const asked = request({ ...input, segmentation: { type: "multiple", segmentSeconds: 10 } });
  const replaced = planRender({ ...asked, settings: { ...asked.settings, audio_mode: "replace" } });
  expect(replaced.sounds).toHaveLength(3);
  expect(planRender(asked).sounds).toHaveLength(5);
});

test("odd sizes become even", () => {
  const probe = { ...PHONE_CLIP, video: { ...PHONE_CLIP.video!, width: 641, height: 361 } };
  expect(planRender(request({ probe }))).toMatchObject({ width: 640, height: 360 });
});

test("frame rates are kept up to 60, and broadcast rates are exact", () => {
  expect(outputFrameRate(25)).toEqual({ numerator: 25, denominator: 1 });
  expect(outputFrameRate(29.97)).toEqual({ numerator: 30_000, denominator: 1_001 });
  expect(outputFrameRate(240)).toEqual({ numerator: 60, denominator: 1 });
  expect(outputFrameRate(12.5)).toEqual({ numerator: 12_500, denominator: 1_000 });
});

test("a loudness and ducking are part of a sound's identity, and a sound with a loudness is not copied", () => {
  const asked = request({ tracks: 1 });
  const keyOf = (settings: Partial<RenderRequest["settings"]>) => {
    const changed = { ...asked, settings: { ...asked.settings, ...settings } };
    const plan = planRender(changed);
    return soundKey(plan.sounds[0]!, plan, changed, "software");
  };
  expect(
    new Set([
      ...[keyOf({}), keyOf({ loudness_lufs: -14 }), keyOf({ loudness_lufs: -16 }), keyOf({ ducking_db: 6 })],
      keyOf({ platform: "reels" }),
    ]).size,
  ).toBe(5);
  expect(keyOf({ platform: "shorts" })).toBe(keyOf({}));
  const bare = request({});
  expect(planRender(bare).outputs[0]!.sound).toEqual({ from: "source" });
  const leveled = planRender({ ...bare, settings: { ...bare.settings, loudness_lufs: -14 } });
  expect(leveled.outputs[0]).toMatchObject({ picture: { from: "source" }, sound: { from: "encoded" } });
});
