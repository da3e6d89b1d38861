import { text } from "node:stream/consumers";
import { launch } from "../launch/launch.ts";
import { deviceArguments, type Encoder, encoderArguments, finishFilter } from "../plan/arguments/encoder-arguments.ts";

export type ChosenEncoder = {
  encoder: Encoder;
  /** Why `wanted` cannot be used; null if it was chosen. */
  refusal: string | null;
};

/**
 * Returns the wanted encoder if it encodes a frame within 15 s at startup, otherwise the software encoder. Never
 * throws.
 */
export async function chooseEncoder(ffmpeg: string, wanted: Encoder): Promise<ChosenEncoder> {
  if (wanted === "software") return { encoder: "software", refusal: null };
  const args = [
    ...["-nostdin", "-hide_banner", "-loglevel", "error", ...deviceArguments(wanted)],
    ...["-f", "lavfi", "-i", "color=black:s=256x256:r=30", "-vf", finishFilter(wanted), "-frames:v", "1"],
    ...[...encoderArguments("standard", 1, wanted), "-f", "null", "-"],
  ];
  const { outputs, ended } = launch(ffmpeg, {
    args,
    encoder: wanted,
    outputs: [2],
    signal: AbortSignal.timeout(15_000),
  });
  const errors = await text(outputs[2]!);
  const { exitCode } = await ended;
  if (exitCode === 0) return { encoder: wanted, refusal: null };
  return { encoder: "software", refusal: errors.trim().split("\n").at(0) || "It did not respond." };
}
