/** Values of ENCODER: x264, or a GPU encoder's name in ffmpeg. */
export const ENCODERS = ["software", "h264_nvenc", "h264_qsv", "h264_vaapi", "h264_videotoolbox"] as const;
export type Encoder = (typeof ENCODERS)[number];

export type EncoderState = {
  /** Encodes the next video. */
  inUse: Encoder;
  wanted: Encoder;
  /** Why `wanted` is not in use. */
  refusal: string | null;
};
