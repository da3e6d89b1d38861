/** Reports how an output's file meets its platform's rules. */
import type { Platform } from "./platforms.ts";

/** Rules by name on the wire, with their labels on screens, in the order of a report. */
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

/** `found` and `expected` are short texts with units, such as "15.0 s" and "at most 180 s". */
export type ConformanceCheck = { rule: ConformanceRule; status: "pass" | "warn"; found: string; expected: string };

/** `rules_read_on` is the date of the platform's rules. Rules that the platform does not state are left out. */
export type ConformanceReport = { platform: Platform; rules_read_on: string; checks: ConformanceCheck[] };
