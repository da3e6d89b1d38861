/** Encoders of pictures. */

/** Values of ENCODER: x264, or an encoder of a GPU by its name in ffmpeg. */
export const ENCODERS = ["software", "h264_nvenc", "h264_qsv", "h264_vaapi", "h264_videotoolbox"] as const;
export type Encoder = (typeof ENCODERS)[number];

export type EncoderState = {
  /** Encodes the next video. */
  inUse: Encoder;
  /** ENCODER. */
  wanted: Encoder;
  /** Why `wanted` is not in use; null if it is. */
  refusal: string | null;
};
