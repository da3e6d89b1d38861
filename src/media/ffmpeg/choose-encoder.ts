/** Whether the machine's encoder does what its name says: asked once, at the start, by encoding a frame with it. */
import { execa } from "execa";
import { launchCommand } from "./launch.ts";
import { deviceArguments, type Encoder, encoderArguments, finishFilter } from "../plan/arguments/encoder-arguments.ts";

export type ChosenEncoder = {
  encoder: Encoder;
  /** What `wanted` answered when it could not be used; null when it is what was chosen. */
  refusal: string | null;
};

/** The encoder that was asked for where a frame comes out of it, else the software one. Never throws. */
export async function chooseEncoder(ffmpeg: string, wanted: Encoder): Promise<ChosenEncoder> {
  if (wanted === "software") return { encoder: "software", refusal: null };
  const command = launchCommand(
    ffmpeg,
    [
      ...["-nostdin", "-hide_banner", "-loglevel", "error", ...deviceArguments(wanted)],
      ...["-f", "lavfi", "-i", "color=black:s=256x256:r=30", "-vf", finishFilter(wanted), "-frames:v", "1"],
      ...[...encoderArguments("standard", 1, wanted), "-f", "null", "-"],
    ],
    wanted,
  );
  const result = await execa(command.file, command.args, {
    ...command.options,
    stdin: "ignore",
    reject: false,
    timeout: 15_000,
  });
  if (result.exitCode === 0) return { encoder: wanted, refusal: null };
  return { encoder: "software", refusal: result.stderr.trim().split("\n").at(0) || "It did not respond." };
}
