import { expect, test } from "vitest";
import { JOB_DEFAULTS, streamSettings } from "#contract/job-settings/setting-values.ts";
import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import { sha256Of } from "#ground/checksum.ts";
import type { Probe } from "../probe/probe-report.ts";
import { createDrawings } from "./layers.ts";
import { planRender } from "./plan-render.ts";
import type { MediaFile, RenderRequest, TimelinePart } from "./render-plan.ts";
import { contentKey, soundKey, stretchKey } from "./stream-keys.ts";
import { cutParts, putAround } from "./timeline/timeline.ts";

const PROBE: Probe = {
  formatName: "mov,mp4,m4a,3gp,3g2,mj2",
  durationSeconds: 12.02,
  video: {
    ...{ index: 0, width: 720, height: 1280, codedWidth: 720, codedHeight: 1280, rotation: 0, hasSquarePixels: true },
    ...{ codec: "h264", pixelFormat: "yuv420p", framesPerSecond: 30, losses: [] },
    timing: {
      ...{ offsetSeconds: 0.008, firstFrameSeconds: 0, lastFrameLasts: 1 / 30, heldSeconds: 0, soundGapSeconds: 0 },
      longFrames: [],
    },
    ...{ isHdr: false, isInterlaced: false, hasAlpha: false, alphaDecoder: null, isPlaced: false, turn: null },
    ...{ pixelAspect: 1, pixelAspects: [], isUniform: true, hasMixedColors: false, startsWithKeyFrame: true },
    ...{ hidesFrames: false, colorPrimaries: null, colorTransfer: null, colorMatrix: "bt709", isFullRange: false },
  },
  audio: { index: 1, codec: "aac", profile: "LC", sampleRate: 48_000, channels: 2, durationSeconds: 12, losses: [] },
};

function file(revision: string, changes: Partial<Probe> = {}): MediaFile {
  return { path: `${revision}.mp4`, revision, probe: { ...PROBE, ...changes } };
}

function request(
  changes: Partial<JobSettings>,
  { sources, rows, tracks = [] }: { sources: RenderRequest["sources"]; rows: TimelinePart[][]; tracks?: MediaFile[] },
): RenderRequest {
  const settings = streamSettings({ ...JOB_DEFAULTS, ...changes });
  const drawings = createDrawings();
  const watermark = drawings.watermarkLayers({ text: "@shop", image: null }, settings);
  const outputs = rows.map((parts, i) => {
    const layers = [...watermark, drawings.captionLayer(`Caption ${i}`, settings)];
    return { key: String(i), parts, layers, trackIndex: tracks.length === 0 ? null : i % tracks.length };
  });
  return { sources, tracks, drawings: drawings.drawings, settings, outputs };
}

function requests(): RenderRequest[] {
  const music = file("music", { video: null, durationSeconds: 30 });
  const video = file("video");
  const { sources, around } = putAround([video], { intro: file("intro"), outro: file("outro") });
  const windows: Window[] = [
    { startSeconds: 0, endSeconds: 4.01 },
    { startSeconds: 4.01, endSeconds: 12.02 },
  ];
  const clips = [
    { source: 0, window: null, seconds: 12.02 },
    { source: 1, window: { startSeconds: 1, endSeconds: 3.5 }, seconds: 2.5, caption: 0, gainDb: 1.5 },
  ];
  return [
    request({}, { sources: [video], rows: [[{ source: 0, window: null }]] }),
    request(
      { caption_start_seconds: 1, caption_end_seconds: 3, caption_fade: 200, format: "9:16" },
      { sources, rows: windows.map((window) => around([{ source: 0, window }])) },
    ),
    request(
      { audio_mode: "mix", ducking_db: 6, platform: "tiktok", transition_seconds: 0.4 },
      { sources: [video, file("other")], rows: [cutParts(clips, windows[1]!), cutParts(clips, null)], tracks: [music] },
    ),
    request({ codec: "hevc", loudness_lufs: -14 }, { sources, rows: [around([{ source: 0, window: windows[0]! }])] }),
  ];
}

function keysOf(one: RenderRequest): string[] {
  const plan = planRender(one);
  const drawn = new Map(one.drawings.map((drawing, i) => [i, { hash: JSON.stringify(drawing), x: i, y: 2 * i }]));
  const keys = new Map([
    ...plan.stretches.map((stretch) => {
      return [stretch.id, stretchKey(stretch, plan, one, drawn, { name: "software", version: "7.0" })] as const;
    }),
    ...plan.sounds.map((sound) => [sound.id, soundKey(sound, plan, one, "7.0")] as const),
  ]);
  return [...keys.values(), ...plan.outputs.map((output) => contentKey(output, keys, one))];
}

/** As before parts had speeds. A new engine version changes it. */
const KEYS = "a33526c72a9d88bcd3e8b7ca352f8460cf134af8541bae41d539a1c2633c9a3b";

test("streams of parts that play as they are have the keys that they had before there were speeds", () => {
  expect(sha256Of(JSON.stringify(requests().map(keysOf)))).toBe(KEYS);
});

test("a part at another speed has other streams, also if as much of another part would play", () => {
  const video = file("video");
  const keysAt = (parts: TimelinePart[]) => keysOf(request({}, { sources: [video], rows: [parts] }));
  const window = { startSeconds: 0, endSeconds: 3 };
  const all = [
    keysAt([{ source: 0, window }]),
    keysAt([{ source: 0, window, speed: 1.5 }]),
    keysAt([{ source: 0, window: { startSeconds: 0, endSeconds: 6 }, speed: 2 }]),
  ];
  expect(new Set(all.flat()).size).toBe(all.flat().length);
});
