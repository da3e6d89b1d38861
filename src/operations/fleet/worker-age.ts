/** The age of a worker's last heartbeat, by the database's clock, because machines' clocks differ. */
import { sql } from "kysely";

/** Workers send a heartbeat every few seconds. */
export const isLost = sql<boolean>`workers.beat_at < now() - interval '15 seconds'`;

/** Workers lost this long ago are no longer listed. */
export const isOld = sql<boolean>`workers.beat_at < now() - interval '1 day'`;
