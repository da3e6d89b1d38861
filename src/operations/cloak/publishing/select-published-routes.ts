import { type Kysely, sql } from "kysely";
import type { PublishedRoute } from "#contract/cloak/published-config.ts";
import type { Tables } from "#database/tables.ts";

/** Returns active routes of active domains in byte order, so that equal content has an equal digest. */
export async function selectPublishedRoutes(db: Kysely<Tables>): Promise<PublishedRoute[]> {
  return db
    .selectFrom("routes")
    .innerJoin("domains", "domains.id", "routes.domain_id")
    .where("routes.active", "=", true)
    .where("domains.status", "=", "active")
    .select([
      "routes.id",
      "domains.name as domain",
      "routes.slug",
      "routes.primary_url as primary",
      "routes.fallback_url as fallback",
    ])
    .orderBy(sql`domains.name collate "C"`)
    .orderBy(sql`routes.slug collate "C"`)
    .execute();
}
