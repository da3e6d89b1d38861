import { ClipmillError } from "#contract/errors.ts";
import { endMissing, type Warning } from "#contract/jobs/outputs/warnings.ts";
import type { Cut } from "../plan/render-plan.ts";
import { type Mp4Facts, readMp4 } from "../probe/read-mp4.ts";

/** If both limits are exceeded, the source was truncated. */
const SHORT_SHARE = 0.05;
export const SHORT_SECONDS = 0.5;

/** Throws ClipmillError "damaged" if the file is much shorter than planned. */
export async function measureRendered(file: string, plannedSeconds: number): Promise<Mp4Facts> {
  const found = await readMp4(file);
  const missing = plannedSeconds - (found?.seconds ?? 0);
  if (!found || found.frames === 0 || isMuchShorter(missing, plannedSeconds)) {
    const facts = { plannedSeconds, found };
    throw new ClipmillError("damaged", "The video file is damaged or incomplete.", { facts });
  }
  return found;
}

export function isMuchShorter(missingSeconds: number, plannedSeconds: number): boolean {
  return missingSeconds > Math.max(SHORT_SECONDS, plannedSeconds * SHORT_SHARE);
}

export function findEndMissing(plannedSeconds: number, seconds: number): Warning[] {
  return plannedSeconds - seconds > SHORT_SECONDS ? [endMissing(plannedSeconds - seconds)] : [];
}

/** Total over all cuts. */
export async function missingSeconds(cuts: readonly Cut[], fileOf: (cut: number) => string): Promise<number> {
  let missing = 0;
  for (const [i, cut] of cuts.entries()) {
    const found = await readMp4(fileOf(i));
    missing += cut.seconds - (found?.seconds ?? 0);
  }
  return missing;
}
