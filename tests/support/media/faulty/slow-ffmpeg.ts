import { chmod, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { testTools } from "../media-tools.ts";

export type SlowFfmpeg = {
  environment: Record<string, string>;
  /** From now on, each second of media takes `seconds` to encode. */
  slowDown(seconds: number): Promise<void>;
  /** Affects new runs only. */
  hurry(): Promise<void>;
};

/** Creates an ffmpeg in `folder` that a test can slow down, so that a fault occurs while it encodes. */
export async function makeSlowFfmpeg(folder: string): Promise<SlowFfmpeg> {
  const { ffmpeg } = await testTools();
  const script = path.join(folder, "slow-ffmpeg");
  const rate = path.join(folder, "slow-ffmpeg-rate");
  const lines = [
    "#!/bin/sh",
    `case " $* " in`,
    `  *" libx264 "*) if [ -e "${rate}" ]; then exec "${ffmpeg}" -readrate "$(cat "${rate}")" "$@"; fi;;`,
    "esac",
    `exec "${ffmpeg}" "$@"`,
  ];
  await writeFile(script, `${lines.join("\n")}\n`);
  await chmod(script, 0o755);
  return {
    environment: { FFMPEG_PATH: script },
    slowDown: (seconds) => writeFile(rate, String(1 / seconds)),
    hurry: () => rm(rate, { force: true }),
  };
}
