import type { Selectable } from "kysely";
import type { JobVideo } from "#contract/jobs.ts";
import type { JobVideosTable } from "#database/tables.ts";

/** A video as it goes over the wire: without the figure that limits are checked with. */
export function toVideo({ cost_minutes: _costMinutes, ...video }: Selectable<JobVideosTable>): JobVideo {
  return video;
}
