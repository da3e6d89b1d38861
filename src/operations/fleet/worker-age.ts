/** How old a worker's last word may be, by the database's clock: machines disagree about the time. */
import { sql } from "kysely";

/** A worker says something every few seconds. */
export const isLost = sql<boolean>`workers.beat_at < now() - interval '15 seconds'`;

/** Nobody asks for a worker any more that was lost so long ago. */
export const isOld = sql<boolean>`workers.beat_at < now() - interval '1 day'`;
