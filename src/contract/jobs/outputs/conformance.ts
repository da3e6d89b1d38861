import type { Platform } from "./platforms.ts";

/** By wire name, with labels, in report order. */
export const CONFORMANCE_RULES = {
  shape: "Width to height",
  picture_size: "Picture size",
  frame_rate: "Frame rate",
  length: "Length",
  file_size: "File size",
  video_codec: "Video codec",
  video_bit_rate: "Video bit rate",
  keyframes: "Keyframes",
  audio_codec: "Audio codec",
  sample_rate: "Sample rate",
  channels: "Channels",
  audio_bit_rate: "Audio bit rate",
  index: "Index",
  edit_lists: "Edit lists",
} as const;
export type ConformanceRule = keyof typeof CONFORMANCE_RULES;

/** Texts with units: "15.0 s", "at most 180 s". */
export type ConformanceCheck = { rule: ConformanceRule; status: "pass" | "warn"; found: string; expected: string };

/** `rules_read_on` dates the platform's rules; rules it does not state are omitted. */
export type ConformanceReport = { platform: Platform; rules_read_on: string; checks: ConformanceCheck[] };
