import { z } from "zod";
import { component } from "../component.ts";

/** Values of ENCODER: x264, or a GPU encoder's name in ffmpeg. */
export const ENCODERS = ["software", "h264_nvenc", "h264_qsv", "h264_vaapi", "h264_videotoolbox"] as const;
export type Encoder = (typeof ENCODERS)[number];

export const EncoderState = component("EncoderState", () => ({
  inUse: z.enum(ENCODERS).describe("Encodes the next video."),
  wanted: z.enum(ENCODERS),
  refusal: z.string().nullable().describe("Why `wanted` is not in use."),
}));
export type EncoderState = z.infer<typeof EncoderState>;
