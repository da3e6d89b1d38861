/** By the database's clock: machines' clocks differ. */
import { sql } from "kysely";

/** Workers send a heartbeat every few seconds. */
export const isLost = sql<boolean>`workers.beat_at < now() - interval '15 seconds'`;

/** According to its last heartbeat. */
export const isClaiming = sql<boolean>`(not ${isLost} and workers.pause_reasons = '{}')`;

/** No longer listed. */
export const isOld = sql<boolean>`workers.beat_at < now() - interval '1 day'`;
