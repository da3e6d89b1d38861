import { writeFile } from "node:fs/promises";
import { runTestFfmpeg } from "./media-tools.ts";

/**
 * Joins clips by copying packets, so that their differences occur mid-stream. The extension of `path` determines the
 * container.
 */
export async function joinClips(path: string, clips: readonly string[]): Promise<void> {
  const list = `${path}.txt`;
  await writeFile(list, clips.map((clip) => `file '${clip}'\n`).join(""));
  await runTestFfmpeg(["-f", "concat", "-safe", "0", "-i", list, "-map", "0", "-c", "copy", path]);
}
