import { fileURLToPath } from "node:url";

export type SampleClip = { path: string; title: string; kind: "video" | "audio"; durationSeconds: number };

/** Four videos (two portrait, two landscape, one of each silent) and a looping music track, all made for Clipmill. */
export const SAMPLE_CLIPS: readonly SampleClip[] = [
  { path: fileOf("mountain-dusk.mp4"), title: "Mountain dusk", kind: "video", durationSeconds: 5 },
  { path: fileOf("moonlit-sea.mp4"), title: "Moonlit sea", kind: "video", durationSeconds: 4 },
  { path: fileOf("city-lights.mp4"), title: "City lights", kind: "video", durationSeconds: 6 },
  { path: fileOf("snowfall.mp4"), title: "Snowfall", kind: "video", durationSeconds: 4 },
  { path: fileOf("soft-arpeggio.m4a"), title: "Soft arpeggio", kind: "audio", durationSeconds: 8 },
];

function fileOf(name: string): string {
  return fileURLToPath(import.meta.resolve(`#media/samples/${name}`));
}
