import { type RawBuilder, sql } from "kysely";

/** Seconds that deliveries are ahead of the database's clock: 0, except in tests of days. */
export type DeliveryClock = () => number;

/** The database's clock, because servers' clocks differ. */
export function deliveryTime(clock: DeliveryClock): RawBuilder<string> {
  return sql<string>`(now() + make_interval(secs => ${clock()}))`;
}
