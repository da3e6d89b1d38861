import { describe, expect, it } from "vitest";
import { assignOutputs, captionIndexOf, partOf, segmentCount, trackIndexOf } from "./assignment.ts";

const whole = { durationSeconds: 20, variants: 3, captions: 0, tracks: 0, segmentation: null };

it("lists no more outputs than a job may have", () => {
  const day = { durationSeconds: 86_400, variants: 100, captions: 0, tracks: 0 };
  const segmentation = { type: "multiple", segmentSeconds: 1 } as const;
  expect(() => assignOutputs({ ...day, segmentation })).toThrow("A job can have at most 10,000 files");
});

describe("captions and tracks", () => {
  it("gives output n caption n mod C", () => {
    expect([0, 1, 2, 3, 4].map((n) => captionIndexOf(n, 3))).toEqual([0, 1, 2, 0, 1]);
    expect(captionIndexOf(7, 0)).toBeNull();
  });

  it.each([
    [2, 2],
    [4, 6],
    [3, 5],
    [1, 10],
    [10, 1],
    [6, 4],
  ])("uses all pairs of %i captions and %i tracks before one repeats", (captions, tracks) => {
    const pairs = Array.from(
      { length: captions * tracks },
      (_, n) => `${captionIndexOf(n, captions)}/${trackIndexOf(n, captions, tracks)}`,
    );
    expect(new Set(pairs).size).toBe(captions * tracks);
  });

  it("continues from one video to the next", () => {
    const second = assignOutputs({ ...whole, turns: { caption: 3, track: 3 }, captions: 4, tracks: 2 });
    expect(second.map((output) => output.captionIndex)).toEqual([3, 0, 1]);
  });
});

describe("windows", () => {
  it("uses the whole video without segmentation", () => {
    expect(assignOutputs(whole).map((output) => output.window)).toEqual([null, null, null]);
  });

  it("spreads the single clips of the variants evenly", () => {
    const outputs = assignOutputs({ ...whole, segmentation: { type: "single", segmentSeconds: 5 } });
    expect(outputs.map((output) => output.window)).toEqual([
      { startSeconds: 0, endSeconds: 5 },
      { startSeconds: 7.5, endSeconds: 12.5 },
      { startSeconds: 15, endSeconds: 20 },
    ]);
  });

  it("uses the whole video if it is shorter than a clip", () => {
    const outputs = assignOutputs({ ...whole, segmentation: { type: "single", segmentSeconds: 30 } });
    expect(outputs.map((output) => output.window)).toEqual([null, null, null]);
  });

  it("cuts consecutive clips that share the variant's caption and track", () => {
    const outputs = assignOutputs({
      ...whole,
      variants: 2,
      captions: 2,
      tracks: 2,
      durationSeconds: 25,
      segmentation: { type: "multiple", segmentSeconds: 10 },
    });
    expect(outputs).toHaveLength(6);
    expect(outputs.slice(0, 3).map((output) => output.window)).toEqual([
      { startSeconds: 0, endSeconds: 10 },
      { startSeconds: 10, endSeconds: 20 },
      { startSeconds: 20, endSeconds: 25 },
    ]);
    expect(new Set(outputs.slice(0, 3).map((output) => `${output.captionIndex}/${output.trackIndex}`)).size).toBe(1);
  });

  it("takes as much of the source as plays in a clip's length, at any speed", () => {
    const single = { type: "single", segmentSeconds: 4 } as const;
    expect(assignOutputs({ ...whole, segmentation: single, speed: 2 }).map(({ window }) => window)).toEqual([
      { startSeconds: 0, endSeconds: 8 },
      { startSeconds: 6, endSeconds: 14 },
      { startSeconds: 12, endSeconds: 20 },
    ]);
    const multiple = { ...whole, variants: 1, segmentation: { type: "multiple", segmentSeconds: 10 } } as const;
    const part = { startSeconds: 3, endSeconds: 14.2 };
    expect(assignOutputs({ ...multiple, part, speed: 0.5 }).map(({ window }) => window)).toEqual([
      { startSeconds: 3, endSeconds: 8 },
      { startSeconds: 8, endSeconds: 13 },
      { startSeconds: 13, endSeconds: 14.2 },
    ]);
    // The last 0.9 s of the file would be under a second.
    expect(assignOutputs({ ...multiple, durationSeconds: 21.8, speed: 2 }).map(({ window }) => window)).toEqual([null]);
  });

  it("rejects a part that is over too soon at its speed", () => {
    const part = { start_seconds: 1, end_seconds: 1.15 };
    expect(partOf(20, part)).toEqual({ startSeconds: 1, endSeconds: 1.15 });
    expect(partOf(20, part, 1.5)).toEqual({ startSeconds: 1, endSeconds: 1.15 });
    const message = "The video is 20.0 s long, and its part of 0.15 s is too short for a speed of 2×.";
    expect(() => partOf(20, part, 2)).toThrow(message);
    expect(() => partOf(0.15, { start_seconds: 0, end_seconds: null }, 2)).toThrow("0.15 s is too short");
    expect(partOf(0.05, { start_seconds: 0, end_seconds: null })).toBeNull();
  });

  it("merges a last clip under a second into the previous one", () => {
    expect(segmentCount(20.9, 10)).toBe(2);
    expect(segmentCount(21, 10)).toBe(3);
    expect(segmentCount(3, 10)).toBe(1);
    const outputs = assignOutputs({
      ...whole,
      variants: 1,
      durationSeconds: 20.9,
      segmentation: { type: "multiple", segmentSeconds: 10 },
    });
    expect(outputs.at(-1)?.window).toEqual({ startSeconds: 10, endSeconds: 20.9 });
  });
});
