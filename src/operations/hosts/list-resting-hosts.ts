import { sql } from "kysely";
import type { RestingHost } from "#contract/sources/resting-hosts.ts";
import type { Context } from "../context.ts";

/** Longest rest first. `waitingVideos` excludes Caption Lab's. */
export async function listRestingHosts({ db }: Pick<Context, "db">): Promise<RestingHost[]> {
  const { rows } = await sql<RestingHost>`
    select host, reason, resting_since as since, rests_until as "nextTryAt",
      (select count(*) from job_videos
        where waits_for = host and waiting_since is not null and status = 'Queued')::int as "waitingVideos"
    from hosts where rests_until is not null order by resting_since, host`.execute(db);
  return rows;
}
