import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import { type PlannedOutput, streamsOf } from "../plan/render-plan.ts";

export type RenderWarnings = {
  /** `id` is an output's key or a stream's id; without it, the warning is for all outputs. Idempotent. */
  add(warning: Warning, id?: string): void;
  /** Complete once the output's streams are. */
  of(output: PlannedOutput): Warning[];
};

const OF_ALL = "";

/** For one render. Warnings with the same code and message count once per output. */
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
