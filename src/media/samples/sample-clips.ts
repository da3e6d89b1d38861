import path from "node:path";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import { cityLights } from "../sample-scenes/city-lights.ts";
import { paintLayers, sceneArguments } from "../sample-scenes/draw-scene.ts";
import { moonlitSea } from "../sample-scenes/moonlit-sea.ts";
import { mountainDusk } from "../sample-scenes/mountain-dusk.ts";
import type { Scene } from "../sample-scenes/scene.ts";
import { snowfall } from "../sample-scenes/snowfall.ts";
import { padExpression, arpeggioExpression } from "./sample-sounds.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";

export type SampleClip = { fileName: string; title: string; kind: "video" | "audio"; durationSeconds: number };

type Sample = SampleClip & {
  /** Null for music. */
  scene: Scene | null;
  /** An aevalsrc expression; null for a silent clip. */
  sound: string | null;
};

const SAMPLES: Sample[] = [
  {
    fileName: "mountain-dusk.mp4",
    title: "Mountain dusk",
    kind: "video",
    durationSeconds: 5,
    scene: mountainDusk,
    sound: padExpression([220, 277.18, 329.63]),
  },
  {
    fileName: "moonlit-sea.mp4",
    title: "Moonlit sea",
    kind: "video",
    durationSeconds: 4,
    scene: moonlitSea,
    sound: null,
  },
  {
    fileName: "city-lights.mp4",
    title: "City lights",
    kind: "video",
    durationSeconds: 6,
    scene: cityLights,
    sound: padExpression([146.83, 220, 293.66]),
  },
  {
    fileName: "snowfall.mp4",
    title: "Snowfall",
    kind: "video",
    durationSeconds: 4,
    scene: snowfall,
    sound: null,
  },
  {
    fileName: "soft-arpeggio.m4a",
    title: "Soft arpeggio",
    kind: "audio",
    durationSeconds: 8,
    scene: null,
    sound: arpeggioExpression(),
  },
];

/**
 * Writes four videos (two portrait, two landscape, one of each silent) and a looping music track. Throws what
 * `runFfmpeg` throws.
 */
export async function drawSampleClips(
  tools: MediaTools,
  folder: string,
  options: { signal?: AbortSignal } = {},
): Promise<SampleClip[]> {
  for (const sample of SAMPLES) {
    options.signal?.throwIfAborted();
    const layers = sample.scene ? await paintLayers(sample.scene, folder, sample.fileName) : [];
    const args = sampleArguments(sample, layers, path.join(folder, sample.fileName));
    await runFfmpeg(tools, { step: `sample ${sample.fileName}`, args, signal: options.signal });
  }
  return SAMPLES.map(({ fileName, title, kind, durationSeconds }) => ({ fileName, title, kind, durationSeconds }));
}

function sampleArguments(sample: Sample, layers: readonly string[], file: string): string[] {
  const { scene, sound, durationSeconds } = sample;
  return [
    ...(sound ? ["-f", "lavfi", "-i", `aevalsrc=exprs='${sound}':s=48000:d=${durationSeconds}`] : []),
    ...(scene ? sceneArguments(scene, layers, { seconds: durationSeconds, firstInput: sound ? 1 : 0 }) : []),
    ...(scene ? ["-map", "[picture]", "-c:v", "libx264", "-preset", "superfast", "-crf", "24"] : []),
    ...(sound ? ["-map", "0:a", "-c:a", "aac", "-b:a", "192k", "-ac", "2"] : []),
    ...["-t", String(durationSeconds), "-movflags", "+faststart", "-f", "mp4", `file:${file}`],
  ];
}
