/** Collects what a render finds to be worse than asked for, for the outputs that it concerns. */
import type { Warning } from "#contract/jobs/warnings.ts";
import { type PlannedOutput, streamsOf } from "../plan/render-plan.ts";

export type RenderWarnings = {
  /** Adds a warning to all outputs of the video or, with the id of a stream, to those made of it. Idempotent. */
  add(warning: Warning, streamId?: string): void;
  /** Returns the warnings of an output. Complete once its streams are. */
  of(output: PlannedOutput): Warning[];
};

const OF_ALL = "";

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
