import { ClipmillError } from "#contract/errors.ts";
import { probe } from "./probe.ts";
import type { RenderRun } from "./render-run.ts";

/** An output shorter than planned by more than this share and these seconds had a source that broke off. */
const SHORT_SHARE = 0.05;
const SHORT_SECONDS = 0.5;

/** The seconds a file of ours lasts; ClipmillError "damaged" when the source gave far less than it promised. */
export async function measureRendered(run: RenderRun, file: string, plannedSeconds: number): Promise<number> {
  const damaged = new ClipmillError("damaged", "The video file is damaged or incomplete.", {
    facts: { plannedSeconds },
  });
  const found = await probe(run.options.tools, file, { signal: run.signal }).catch((error: unknown) => {
    throw error instanceof ClipmillError && error.code === "not_a_video" ? damaged : error;
  });
  const missing = plannedSeconds - found.durationSeconds;
  if (missing > Math.max(SHORT_SECONDS, plannedSeconds * SHORT_SHARE)) throw damaged;
  return found.durationSeconds;
}
