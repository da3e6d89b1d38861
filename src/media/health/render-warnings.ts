/** Collects a render's warnings by the outputs they concern. */
import type { Warning } from "#contract/jobs/warnings.ts";
import { type PlannedOutput, streamsOf } from "../plan/render-plan.ts";

export type RenderWarnings = {
  /** Adds a warning to all outputs of the video or, given a stream's id, to those that use it. Idempotent. */
  add(warning: Warning, streamId?: string): void;
  /** Returns an output's warnings. Complete when its streams are. */
  of(output: PlannedOutput): Warning[];
};

const OF_ALL = "";

/** Creates the empty collection of one render. Warnings with the same code and message count once per output. */
export function createRenderWarnings(): RenderWarnings {
  const byStream = new Map<string, Map<string, Warning>>();
  return {
    add(warning, streamId = OF_ALL) {
      const known = byStream.get(streamId) ?? new Map<string, Warning>();
      byStream.set(streamId, known.set(`${warning.code} ${warning.message}`, warning));
    },
    of(output) {
      const found = [OF_ALL, ...streamsOf(output)].flatMap((id) => Array.from(byStream.get(id) ?? []));
      return [...new Map(found).values()];
    },
  };
}
