import { ClipmillError } from "#contract/errors.ts";
import { endMissing, type Warning } from "#contract/jobs/warnings.ts";
import type { Cut } from "../plan/render-plan.ts";
import { type Mp4Facts, readMp4 } from "../probe/read-mp4.ts";

/** An output shorter than planned by more than this share and these seconds had a source that broke off. */
const SHORT_SHARE = 0.05;
const SHORT_SECONDS = 0.5;

/** What a file of ours holds; ClipmillError "damaged" when the source gave far less than it promised. */
export async function measureRendered(file: string, plannedSeconds: number): Promise<Mp4Facts> {
  const found = await readMp4(file);
  const missing = plannedSeconds - (found?.seconds ?? 0);
  if (!found || found.frames === 0 || missing > Math.max(SHORT_SECONDS, plannedSeconds * SHORT_SHARE)) {
    const facts = { plannedSeconds, found };
    throw new ClipmillError("damaged", "The video file is damaged or incomplete.", { facts });
  }
  return found;
}

/** Returns the warning that a file of ours is shorter than planned, if it is by more than is usual. */
export function findEndMissing(plannedSeconds: number, seconds: number): Warning[] {
  return plannedSeconds - seconds > SHORT_SECONDS ? [endMissing(plannedSeconds - seconds)] : [];
}

/** Returns the seconds by which files of ours, one a cut, are shorter than planned; 0 if that is within tolerance. */
export async function missingSeconds(cuts: readonly Cut[], fileOf: (cut: number) => string): Promise<number> {
  let missing = 0;
  for (const [i, cut] of cuts.entries()) missing += cut.seconds - ((await readMp4(fileOf(i)))?.seconds ?? 0);
  return missing > SHORT_SECONDS ? missing : 0;
}
