import { expect, test } from "vitest";
import { keyframeFrames, soundKbps, spreadKeyframes } from "./platform-encoding.ts";

test("keyframes are as close as the platform asks, counted in frames of the output's rate", () => {
  expect(keyframeFrames("shorts", { numerator: 30, denominator: 1 })).toBe(15);
  expect(keyframeFrames("shorts", { numerator: 30_000, denominator: 1_001 })).toBe(14);
  expect(keyframeFrames("shorts", { numerator: 1, denominator: 1 })).toBe(1);
  expect(keyframeFrames("tiktok", { numerator: 30, denominator: 1 })).toBe(250);
  expect(keyframeFrames(null, { numerator: 30, denominator: 1 })).toBe(250);
});

test("keyframes are spread evenly, so that none is the last frame before a seam", () => {
  expect(spreadKeyframes(31, 15)).toEqual([0, 10, 20]);
  expect(spreadKeyframes(30, 15)).toEqual([0, 15]);
  expect(spreadKeyframes(250, 250)).toEqual([0]);
  expect(spreadKeyframes(251, 250)).toEqual([0, 125]);
  for (let frames = 8; frames < 200; frames++) {
    const starts = [...spreadKeyframes(frames, 15), frames];
    const lengths = starts.slice(1).map((start, i) => start - starts[i]!);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(15);
    expect(Math.min(...lengths)).toBeGreaterThan(1);
  }
});

test("sound stays below the platform's bit rate, even where the encoder exceeds what it is asked for", () => {
  expect(soundKbps("reels")).toBe(125);
  expect(soundKbps("shorts")).toBeNull();
  expect(soundKbps(null)).toBeNull();
});
