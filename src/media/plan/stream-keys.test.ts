import { expect, test } from "vitest";
import { JOB_DEFAULTS, streamSettings } from "#contract/job-settings/setting-values.ts";
import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { sha256Of } from "#ground/checksum.ts";
import type { Probe } from "../probe/probe-report.ts";
import { createDrawings } from "./layers.ts";
import { planRender } from "./plan-render.ts";
import type { MediaFile, RenderRequest } from "./render-plan.ts";
import { contentKey, soundKey, stretchKey } from "./stream-keys.ts";

const LANDSCAPE: Probe = {
  formatName: "mov,mp4,m4a,3gp,3g2,mj2",
  durationSeconds: 12,
  video: {
    ...{ index: 0, width: 1920, height: 1080, codedWidth: 1920, codedHeight: 1080, rotation: 0, hasSquarePixels: true },
    ...{ codec: "h264", pixelFormat: "yuv420p", framesPerSecond: 30, losses: [] },
    timing: {
      ...{ offsetSeconds: 0, firstFrameSeconds: 0, lastFrameLasts: 1 / 30, heldSeconds: 0, soundGapSeconds: 0 },
      longFrames: [],
    },
    ...{ isHdr: false, isInterlaced: false, hasAlpha: false, alphaDecoder: null, isPlaced: false, turn: null },
    ...{ pixelAspect: 1, pixelAspects: [], isUniform: true, hasMixedColors: false, startsWithKeyFrame: true },
    ...{ hidesFrames: false, colorPrimaries: null, colorTransfer: null, colorMatrix: "bt709", isFullRange: false },
  },
  audio: { index: 1, codec: "aac", profile: "LC", sampleRate: 48_000, channels: 2, durationSeconds: 12, losses: [] },
};
const UPRIGHT: Probe = {
  ...LANDSCAPE,
  video: { ...LANDSCAPE.video!, width: 720, height: 1280, codedWidth: 720, codedHeight: 1280 },
};
const ENCODER = { name: "software", version: "7.0" } as const;

function file(name: string, probe: Probe): MediaFile {
  return { path: `${name}.mp4`, probe, revision: name };
}

function keysOf(asked: Partial<StreamSettings>): string[] {
  const settings = streamSettings({ ...JOB_DEFAULTS, ...asked });
  const drawings = createDrawings();
  const request: RenderRequest = {
    sources: [file("landscape", LANDSCAPE), file("upright", UPRIGHT)],
    tracks: [],
    drawings: drawings.drawings,
    settings,
    outputs: [
      { key: "whole", parts: [{ source: 0, window: null }], layers: [], trackIndex: null },
      {
        key: "joined",
        parts: [
          { source: 0, window: { startSeconds: 1, endSeconds: 5 } },
          { source: 1, window: null },
        ],
        layers: [drawings.captionLayer("A caption", settings)],
        trackIndex: null,
      },
    ],
  };
  const plan = planRender(request);
  const drawn = new Map([[0, { hash: "drawn", x: 10, y: 20 }]]);
  const keys = new Map([
    ...plan.stretches.map((stretch) => [stretch.id, stretchKey(stretch, plan, request, drawn, ENCODER)] as const),
    ...plan.sounds.map((sound) => [sound.id, soundKey(sound, plan, request, ENCODER.version)] as const),
  ]);
  return [...keys.values(), ...plan.outputs.map((output) => contentKey(output, keys, request))];
}

/** A change encodes every cached stream again. Update the hash only with `ENGINE_VERSION`. */
test("jobs keep their streams: the keys are those of earlier versions", () => {
  const asked: Partial<StreamSettings>[] = [
    {},
    { format: "9:16" },
    { format: "9:16", fit_focus_x: 0.2, fit_focus_y: 0.8 },
    { format: "1:1", fit: "blur", platform: "tiktok" },
    { format: "16:9", transition_seconds: 0.5, cover_seconds: 1 },
    { format: "4:5", fit: "pad", loudness_lufs: -14, codec: "hevc" },
  ];
  expect(sha256Of(JSON.stringify(asked.map(keysOf)))).toBe(
    "403b8ba1a6cfd7f37e6cf1dca2ab214035e1e4962d5d39c834e2cd8de01d9762",
  );
});
