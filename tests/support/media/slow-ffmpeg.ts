/** An ffmpeg that takes its time over pictures while a test wants it to, so that a fault of seconds falls into its work. */
import { chmod, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { testTools } from "./media-tools.ts";

export type SlowFfmpeg = {
  /** What a program is started with to use it. */
  environment: Record<string, string>;
  /** From now on, encoding a second takes this many. */
  slowDown(seconds: number): Promise<void>;
  /** Runs that begin from now on are as fast as ever. */
  hurry(): Promise<void>;
};

/** Makes it in `folder`. It is fast at first. */
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
