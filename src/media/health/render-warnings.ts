/** Collects a render's warnings by the outputs they concern. */
import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import { type PlannedOutput, streamsOf } from "../plan/render-plan.ts";

export type RenderWarnings = {
  /**
   * Adds a warning to all outputs of the video or, given a stream's id or an output's key, to those that use it or to
   * that one. Idempotent.
   */
  add(warning: Warning, id?: string): void;
  /** Returns an output's warnings. Complete when its streams are. */
  of(output: PlannedOutput): Warning[];
};

const OF_ALL = "";

/** Creates the empty collection of one render. Warnings with the same code and message count once per output. */
export function createRenderWarnings(): RenderWarnings {
  const byId = new Map<string, Map<string, Warning>>();
  return {
    add(warning, id = OF_ALL) {
      const known = byId.get(id) ?? new Map<string, Warning>();
      byId.set(id, known.set(`${warning.code} ${warning.message}`, warning));
    },
    of(output) {
      const found = [OF_ALL, output.key, ...streamsOf(output)].flatMap((id) => Array.from(byId.get(id) ?? []));
      return [...new Map(found).values()];
    },
  };
}
