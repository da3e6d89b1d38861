import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { analyzedUntil, type DetectedSpeech, findSpeech } from "../speech/find-speech.ts";
import { findCuts, leaveOut } from "./cut-silences.ts";
import { framesIn } from "./fit-size.ts";

const RATES = [
  { numerator: 30_000, denominator: 1_001 },
  { numerator: 25, denominator: 1 },
  { numerator: 60, denominator: 1 },
];
const STEP = 0.032;

/** Speech and silence alternate. At the ends of words, the model is unsure. */
const detectedSpeech = fc
  .tuple(
    fc.integer({ min: 0, max: 20 }),
    fc.array(fc.tuple(fc.integer({ min: 0, max: 80 }), fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 60 })), {
      maxLength: 12,
    }),
  )
  .map(([fromSeconds, runs]): DetectedSpeech => {
    return {
      fromSeconds,
      likelihoods: Uint8Array.from(runs.flatMap(([quiet, loud]) => [...Array<number>(quiet).fill(3), ...loud])),
    };
  });
const settings = fc.record({
  cut_silences_ms: fc.integer({ min: 1, max: 3_000 }),
  silence_padding_ms: fc.integer({ min: 0, max: 800 }),
});
const rates = fc.constantFrom(...RATES);
const isIn = (windows: readonly Window[], at: number) =>
  windows.some(({ startSeconds, endSeconds }) => at >= startSeconds - 1e-6 && at <= endSeconds + 1e-6);

test("keeps all speech and its padding, cuts only long silences, and cuts on frames", () => {
  fc.assert(
    fc.property(detectedSpeech, settings, rates, (detected, { cut_silences_ms, silence_padding_ms }, rate) => {
      const speech = findSpeech(detected);
      const [from, until] = [detected.fromSeconds, analyzedUntil(detected)];
      const cuts = findCuts(detected, { cut_silences_ms, silence_padding_ms }, rate);
      fc.pre(speech.length > 0);
      for (const [i, cut] of cuts.entries()) {
        const startSeconds = Math.max(from, cut.startSeconds);
        const endSeconds = Math.min(until, cut.endSeconds);
        expect(endSeconds - startSeconds).toBeGreaterThan(0.09);
        expect(startSeconds).toBeGreaterThanOrEqual(cuts[i - 1]?.endSeconds ?? from);
        for (const time of [cut.startSeconds, cut.endSeconds].filter(Number.isFinite)) {
          const frame = (time * rate.numerator) / rate.denominator;
          expect(Math.abs(frame - Math.round(frame))).toBeLessThan(1e-5);
        }
        // No speech is nearer than the padding, and the silence around is long enough.
        const before = speech.findLast((one) => one.startSeconds < cut.startSeconds);
        const after = speech.find((one) => one.startSeconds >= cut.startSeconds);
        const paddings = [before && cut.startSeconds - before.endSeconds, after && after.startSeconds - cut.endSeconds];
        const least = Math.min(...paddings.filter((padding) => padding !== undefined));
        expect(least).toBeGreaterThan(silence_padding_ms / 1_000 - 1e-5);
        const silence = (after?.startSeconds ?? until) - (before?.endSeconds ?? from);
        expect(silence).toBeGreaterThan(cut_silences_ms / 1_000 - 1e-5);
      }
      // Every long silence is cut, up to the padding and a frame at both sides.
      const gaps = [from, ...speech.map(({ endSeconds }) => endSeconds)].map(
        (start, i) => [start, speech[i]?.startSeconds ?? until] as const,
      );
      for (const [start, end] of gaps) {
        const middle = (start + end) / 2;
        const isLong = end - start >= Math.max(cut_silences_ms / 1_000, 2 * (silence_padding_ms / 1_000 + 0.05) + 0.1);
        expect(!isLong || isIn(cuts, middle)).toBe(true);
      }
    }),
  );
});

const inside = (cuts: Window[]) => cuts.filter((cut) => Number.isFinite(cut.startSeconds + cut.endSeconds));

test("fillers are cut in whole frames, and no other speech is cut with them", () => {
  const fillers = fc
    .uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 8 })
    .map((all) => all.toSorted((a, b) => a - b).map((tenths) => tenths / 10))
    .map((edges) =>
      edges.flatMap((from, i) => (i % 2 === 1 ? [{ startSeconds: edges[i - 1]!, endSeconds: from }] : [])),
    );
  fc.assert(
    fc.property(detectedSpeech, settings, rates, fillers, (detected, silences, rate, all) => {
      const alone = findCuts(null, silences, rate, all);
      for (const cut of alone) {
        const isOf = (one: Window) =>
          one.startSeconds < cut.startSeconds + 1e-5 && one.endSeconds > cut.endSeconds - 1e-5;
        expect(all.some(isOf)).toBe(true);
        for (const time of [cut.startSeconds, cut.endSeconds]) {
          const frame = (time * rate.numerator) / rate.denominator;
          expect(Math.abs(frame - Math.round(frame))).toBeLessThan(1e-5);
        }
      }
      expect(findCuts(detected, { ...silences, cut_silences_ms: 0 }, rate, all)).toEqual(alone);
      const cuts = findCuts(detected, silences, rate, all);
      const isCut = (at: number) => cuts.some((cut) => cut.startSeconds <= at && at <= cut.endSeconds);
      for (const { startSeconds, endSeconds } of alone) expect(isCut((startSeconds + endSeconds) / 2)).toBe(true);
      // Speech without a filler in it keeps its padding.
      for (const speech of findSpeech(detected)) {
        const from = speech.startSeconds - 1;
        if (alone.some((one) => one.endSeconds > from && one.startSeconds < speech.endSeconds + 1)) continue;
        expect(isCut((speech.startSeconds + speech.endSeconds) / 2)).toBe(false);
        expect(isCut(speech.startSeconds + 1e-4) || isCut(speech.endSeconds - 1e-4)).toBe(false);
      }
    }),
  );
});

test("the pauses beside a filler are one silence with it", () => {
  const rate = RATES[1]!;
  const likelihoods = new Uint8Array(125);
  // Speech around 0.3 to 1, 1.4 to 1.7 and 2.1 to 3 s.
  for (const [from, until] of [
    [10, 31],
    [44, 53],
    [66, 94],
  ])
    likelihoods.fill(255, from, until);
  const silences = { cut_silences_ms: 600, silence_padding_ms: 100 };
  const detected = { fromSeconds: 0, likelihoods };
  expect(inside(findCuts(detected, silences, rate))).toEqual([]);
  const [cut, filler, ...others] = inside(
    findCuts(detected, silences, rate, [{ startSeconds: 1.36, endSeconds: 1.76 }]),
  );
  expect(others).toEqual([]);
  expect(cut!.startSeconds).toBeCloseTo(1.16, 1);
  expect(cut!.endSeconds).toBeCloseTo(1.92, 1);
  expect(filler).toEqual({ startSeconds: 1.36, endSeconds: 1.76 });
});

test("what remains of a window is in order, within it, and everything that is not cut", () => {
  const times = fc.integer({ min: 0, max: 600 }).map((tenths) => tenths / 10);
  const ranges = fc.uniqueArray(times, { maxLength: 16 }).map((all) => all.toSorted((a, b) => a - b));
  const speeds = fc.constantFrom(0.5, 1, 1.3, 2);
  fc.assert(
    fc.property(ranges, times, times, rates, speeds, (edges, one, other, rate, speed) => {
      fc.pre(one !== other);
      const cuts = edges.flatMap((startSeconds, i) =>
        i % 2 === 0 && edges[i + 1] !== undefined ? [{ startSeconds, endSeconds: edges[i + 1]! }] : [],
      );
      const window = { startSeconds: Math.min(one, other), endSeconds: Math.max(one, other) };
      const kept = leaveOut(window, cuts, { rate, speed }) ?? [];
      for (const [i, { startSeconds, endSeconds }] of kept.entries()) {
        expect(startSeconds).toBeGreaterThanOrEqual(kept[i - 1]?.endSeconds ?? window.startSeconds);
        expect(endSeconds).toBeGreaterThan(startSeconds);
        expect(endSeconds).toBeLessThanOrEqual(window.endSeconds);
        // A single frame could not be joined.
        expect(framesIn(endSeconds / speed, rate) - framesIn(startSeconds / speed, rate)).toBeGreaterThan(1);
      }
      const cutSeconds = cuts.reduce(
        (sum, cut) =>
          sum +
          Math.max(0, Math.min(cut.endSeconds, window.endSeconds) - Math.max(cut.startSeconds, window.startSeconds)),
        0,
      );
      const keptSeconds = kept.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);
      const seconds = window.endSeconds - window.startSeconds;
      expect(keptSeconds).toBeLessThanOrEqual(seconds - cutSeconds + 1e-6);
      // Remains that play for less than a tenth of a second are dropped.
      expect(keptSeconds).toBeGreaterThan(seconds - cutSeconds - 0.1 * speed * (cuts.length + 1) - 1e-6);
    }),
  );
});

test("a word goes on while the model is unsure, and a click is no speech", () => {
  const likelihoods = Uint8Array.of(...[0, 0, 0, 0, 200, 100, 95, 100, 80, 0], ...[0, 0, 0, 0, 0, 255, 255, 0, 0, 0]);
  const [word, ...others] = findSpeech({ fromSeconds: 10, likelihoods });
  expect(others).toEqual([]);
  expect(word!.startSeconds).toBeCloseTo(10 + 2 * STEP, 6);
  expect(word!.endSeconds).toBeCloseTo(10 + 9 * STEP, 6);
});
