import { z } from "zod";
import { component, keysOf, named } from "../../component.ts";
import { choicesOf } from "../../job-settings/setting-values.ts";

export const Platform = named("Platform", z.enum(choicesOf("platform")));
export type Platform = z.infer<typeof Platform>;

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

export const ConformanceCheck = component("ConformanceCheck", 'Texts with units: "15.0 s", "at most 180 s".', () => ({
  rule: keysOf(CONFORMANCE_RULES),
  status: z.enum(["pass", "warn"]),
  found: z.string(),
  expected: z.string(),
}));
export type ConformanceCheck = z.infer<typeof ConformanceCheck>;

export const ConformanceReport = component(
  "ConformanceReport",
  "`rules_read_on` dates the platform's rules; rules it does not state are omitted.",
  () => ({
    platform: Platform,
    rules_read_on: z.string(),
    checks: z.array(ConformanceCheck),
  }),
);
export type ConformanceReport = z.infer<typeof ConformanceReport>;
