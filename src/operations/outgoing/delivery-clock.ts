import { type RawBuilder, sql } from "kysely";

/** Returns how many seconds deliveries are ahead of the database's clock. Always 0, except in tests of days. */
export type DeliveryClock = () => number;

/** SQL: the time for deliveries. The database's clock, because servers' clocks differ. */
export function deliveryTime(clock: DeliveryClock): RawBuilder<string> {
  return sql<string>`(now() + make_interval(secs => ${clock()}))`;
}
