import * as fc from "fast-check";
import { expect, test } from "vitest";
import { JOB_DEFAULTS, streamSettings } from "#contract/job-settings/setting-values.ts";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import type { Probe } from "../probe/probe-report.ts";
import { framesIn } from "./fit-size.ts";
import { planRender } from "./plan-render.ts";
import type { RenderPlan, RenderRequest, TimelinePart } from "./render-plan.ts";
import { paced, speedOf } from "./speed.ts";
import { cutParts } from "./timeline/timeline.ts";

const RATES = [30_000 / 1_001, 25, 60, 24];

function probeOf(frames: number, framesPerSecond: number): Probe {
  return {
    formatName: "mov,mp4,m4a,3gp,3g2,mj2",
    durationSeconds: frames / framesPerSecond,
    video: {
      ...{ index: 0, width: 720, height: 1280, codedWidth: 720, codedHeight: 1280, rotation: 0, hasSquarePixels: true },
      ...{ codec: "h264", pixelFormat: "yuv420p", framesPerSecond, losses: [] },
      timing: {
        ...{ offsetSeconds: 0, firstFrameSeconds: 0, lastFrameLasts: 1 / framesPerSecond, heldSeconds: 0 },
        ...{ soundGapSeconds: 0, longFrames: [] },
      },
      ...{ isHdr: false, isInterlaced: false, hasAlpha: false, alphaDecoder: null, isPlaced: false, turn: null },
      ...{ pixelAspect: 1, pixelAspects: [], isUniform: true, hasMixedColors: false, startsWithKeyFrame: true },
      ...{ hidesFrames: false, colorPrimaries: null, colorTransfer: null, colorMatrix: "bt709", isFullRange: false },
    },
    audio: { index: 1, codec: "aac", profile: "LC", sampleRate: 48_000, channels: 2, durationSeconds: 9, losses: [] },
  };
}

function plan(
  probes: [Probe, ...Probe[]],
  rows: TimelinePart[][],
  settings: Partial<RenderRequest["settings"]> = {},
): RenderPlan {
  const [first, ...others] = probes.map((probe, i) => ({ path: `${i}.mp4`, probe, revision: String(i) }));
  return planRender({
    ...{ sources: [first!, ...others], tracks: [], drawings: [] },
    settings: streamSettings({ ...JOB_DEFAULTS, ...settings }),
    outputs: rows.map((parts, i) => ({ key: String(i), parts, layers: [], trackIndex: null })),
  });
}

/** By output: the range of playback frames that each of its stretches shows. */
function rangesOf({ stretches, outputs }: RenderPlan) {
  const byId = new Map(stretches.map((stretch) => [stretch.id, stretch]));
  return outputs.map(({ picture }) => (picture.from === "source" ? [] : picture.stretches.map((id) => byId.get(id)!)));
}

const speeds = fc.integer({ min: 50, max: 200 }).map((hundredths) => hundredths / 100);
const clips = fc.record({ frames: fc.integer({ min: 30, max: 900 }), rate: fc.constantFrom(...RATES), speed: speeds });

test("consecutive windows at any speed show each playback frame once, and sound and picture are equally long", () => {
  const cuts = fc.uniqueArray(fc.double({ min: 0.05, max: 0.95, noNaN: true }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(clips, cuts, ({ frames, rate, speed }, shares) => {
      const probe = probeOf(frames, rate);
      const edges = [0, ...shares.toSorted((a, b) => a - b).map((share) => share * probe.durationSeconds)];
      const windows = edges.map((startSeconds, i): Window => {
        return { startSeconds, endSeconds: edges[i + 1] ?? probe.durationSeconds };
      });
      fc.pre(windows.every(({ startSeconds, endSeconds }) => endSeconds - startSeconds >= 0.1 * speed));
      const planned = plan(
        [probe],
        [...windows, null].map((window) => [{ source: 0, window, ...paced(speed) }]),
      );
      const lines = rangesOf(planned).slice(0, windows.length);
      const all = lines.flat().map(({ cut }) => [cut.firstFrame, cut.firstFrame + cut.frames]);
      expect(all[0]![0]).toBe(0);
      expect(all.slice(1).map(([from]) => from)).toEqual(all.slice(0, -1).map(([, until]) => until));
      expect(all.at(-1)![1]).toBe(Math.round(frames / speed));
      for (const [i, stretches] of lines.entries()) {
        const played = stretches.reduce((sum, { cut }) => sum + cut.frames, 0);
        expect(planned.outputs[i]!.seconds).toBeCloseTo(
          (played * planned.frameRate.denominator) / planned.frameRate.numerator,
          9,
        );
      }
      // At normal speed, the whole video has the source's sound.
      const lengths = new Map(planned.sounds.map(({ id, seconds }) => [id, seconds]));
      for (const { sound, seconds } of planned.outputs) {
        expect(sound.from === "encoded" ? lengths.get(sound.id) : seconds).toBe(seconds);
      }
    }),
  );
});

test("parts at different speeds keep their times on the source within half a playback frame", () => {
  fc.assert(
    fc.property(fc.array(clips, { minLength: 2, maxLength: 4 }), (rows) => {
      const probes = rows.map(({ frames, rate }) => probeOf(frames, rate)) as [Probe, ...Probe[]];
      const parts = rows.map(({ speed }, source) => {
        const window = { startSeconds: 0.2, endSeconds: probes[source]!.durationSeconds - 0.1 };
        return { source, window, ...paced(speed) };
      });
      fc.pre(parts.every(({ window, speed = 1 }) => window.endSeconds - window.startSeconds > 0.2 * speed));
      const planned = plan(probes, [parts], { transition_seconds: 0 });
      const { numerator, denominator } = planned.frameRate;
      const halfAFrame = denominator / numerator / 2 + 1e-9;
      for (const [i, { fromSeconds, seconds, ...sound }] of planned.sounds[0]!.parts.entries()) {
        const speed = speedOf(sound);
        const { startSeconds, endSeconds } = parts[i]!.window;
        expect(Math.abs(fromSeconds - startSeconds) / speed).toBeLessThan(halfAFrame);
        expect(Math.abs(fromSeconds + seconds * speed - endSeconds) / speed).toBeLessThan(halfAFrame);
        expect(framesIn(seconds, planned.frameRate)).toBeGreaterThan(1);
      }
      expect(planned.sounds[0]!.parts.reduce((sum, { seconds }) => sum + seconds, 0)).toBeCloseTo(
        planned.outputs[0]!.seconds,
        9,
      );
    }),
  );
});

test("the same range at two speeds is two stretches, and at one speed one", () => {
  const window = { startSeconds: 1, endSeconds: 4 };
  const rows = [1, 2, 2].map((speed): TimelinePart[] => [{ source: 0, window, ...paced(speed) }]);
  const { stretches } = plan([probeOf(300, 30)], rows);
  expect(stretches.map(({ cut, ...stretch }) => [speedOf(stretch), cut.firstFrame, cut.frames])).toEqual([
    [1, 30, 90],
    [2, 15, 45],
  ]);
});

test("a part fades into one at another speed, each at its own", () => {
  const parts = [2, 0.5].map((speed, source): TimelinePart => ({ source, window: null, speed }));
  const { stretches, sounds, outputs } = plan([probeOf(120, 30), probeOf(60, 30)], [parts], {
    transition_seconds: 0.5,
  });
  expect(
    stretches.map(({ cut, speed, into }) => [speed, cut.firstFrame, cut.frames, into?.speed, into?.cut.frames]),
  ).toEqual([
    [2, 0, 45, undefined, undefined],
    [2, 45, 15, 0.5, 15],
    [0.5, 15, 105, undefined, undefined],
  ]);
  expect(outputs[0]!.seconds).toBe(165 / 30);
  expect(sounds[0]!.parts.map(({ seconds, fade }) => [seconds, fade?.seconds])).toEqual([
    [2, 0.5],
    [4, undefined],
  ]);
});

test("only a picture that plays as it is may be copied", () => {
  const probe = probeOf(300, 30);
  const pictureAt = (speed: number) =>
    plan([probe], [[{ source: 0, window: null, ...paced(speed) }]]).outputs[0]!.picture.from;
  expect([1, 0.5, 2].map(pictureAt)).toEqual(["source", "encoded", "encoded"]);
});

test("a window of clips in a row takes from each clip what it shows", () => {
  const laid = [
    { source: 0, window: null, speed: 2, seconds: 3, sourceSeconds: 6 },
    { source: 1, window: { startSeconds: 1, endSeconds: 3 }, speed: 0.5, seconds: 4, sourceSeconds: 2 },
  ];
  expect(cutParts(laid, { startSeconds: 1, endSeconds: 5 })).toEqual([
    { source: 0, window: { startSeconds: 2, endSeconds: 6 }, speed: 2 },
    { source: 1, window: { startSeconds: 1, endSeconds: 2 }, speed: 0.5 },
  ]);
  expect(cutParts(laid, null)).toEqual([
    { source: 0, window: null, speed: 2 },
    { source: 1, window: { startSeconds: 1, endSeconds: 3 }, speed: 0.5 },
  ]);
});
