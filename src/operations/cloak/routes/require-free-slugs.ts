import { sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { slugKey } from "#contract/cloak/published-config.ts";
import type { Tables } from "#database/tables.ts";

export const ROUTE_EXISTS = "This domain already has a route with this slug.";

type Place = { id: string | null; domain_id: string; slug: string };

/** Throws ClipmillError "conflict" for a taken slug, ignoring trailing slashes. */
export async function requireFreeSlugs(trx: Transaction<Tables>, places: Place[]): Promise<void> {
  const distinct = new Set(places.map((place) => `${place.domain_id}/${slugKey(place.slug)}`));
  if (distinct.size < places.length) throw new ClipmillError("conflict", ROUTE_EXISTS);
  for (const place of places) {
    const taken = await trx
      .selectFrom("routes")
      .select("id")
      .where("domain_id", "=", place.domain_id)
      .where(sql`rtrim(slug, '/')`, "=", place.slug.replace(/\/+$/, ""))
      .$if(place.id !== null, (rows) => rows.where("id", "!=", place.id!))
      .executeTakeFirst();
    if (taken) throw new ClipmillError("conflict", ROUTE_EXISTS);
  }
}
