import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { slugKey } from "#contract/cloak/published-config.ts";
import type { Tables } from "#database/tables.ts";
import { placeOf } from "./place-of.ts";

type Ends = { domain_id: string; slug: string; primary_url: string; fallback_url: string | null };

/** Throws ClipmillError "invalid" for a route to itself; publishing finds longer loops. */
export async function refuseSelfRedirects(trx: Transaction<Tables>, routes: Ends[]): Promise<void> {
  if (routes.length === 0) return;
  const ids = [...new Set(routes.map((route) => route.domain_id))];
  const domains = await trx.selectFrom("domains").select(["id", "name"]).where("id", "in", ids).execute();
  const names = new Map(domains.map(({ id, name }) => [id, name]));
  for (const route of routes) {
    const own = `${names.get(route.domain_id)}/${slugKey(route.slug)}`;
    if (placeOf(route.primary_url) === own) throw leadsBack("Primary URL");
    if (route.fallback_url !== null && placeOf(route.fallback_url) === own) throw leadsBack("Fallback URL");
  }
}

function leadsBack(which: string): ClipmillError {
  return new ClipmillError("invalid", `The ${which} is this route's own address. Choose another destination.`);
}
