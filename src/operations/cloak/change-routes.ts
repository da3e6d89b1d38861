import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { parseInput } from "../parse-input.ts";
import { ROUTE_EXISTS } from "./add-route.ts";
import { requireActiveDomains } from "./require-active-domain.ts";
import { routeSchema } from "./route-input.ts";

/**
 * Changes what is given of some routes. Their domain has to be active, unless they are only being switched off.
 * Throws ClipmillError as adding does.
 */
export async function changeRoutes(trx: Transaction<Tables>, ids: string[], body: unknown): Promise<void> {
  const changes = parseInput(routeSchema.partial(), body);
  const given = Object.keys(changes).filter((name) => changes[name as keyof typeof changes] !== undefined);
  const isSwitchingOff = changes.active === false && given.length === 1;
  if (given.length === 0) return;
  // Domains before routes, in the order in which a change of a domain takes them.
  const before = await trx.selectFrom("routes").select("domain_id").where("id", "in", ids).execute();
  const domainIds = changes.domain_id ? [changes.domain_id] : before.map((route) => route.domain_id);
  if (!isSwitchingOff && domainIds.length > 0) await requireActiveDomains(trx, domainIds);
  const routes = await trx
    .selectFrom("routes")
    .select(["id", "domain_id", "slug"])
    .where("id", "in", ids)
    .orderBy("id")
    .forUpdate()
    .execute();
  await requireFreeSlugs(
    trx,
    routes.map(({ id, domain_id: domainId, slug }) => ({
      id,
      domain_id: changes.domain_id ?? domainId,
      slug: changes.slug ?? slug,
    })),
  );
  await trx.updateTable("routes").set(changes).where("id", "in", ids).execute();
}

type Place = { id: string; domain_id: string; slug: string };

async function requireFreeSlugs(trx: Transaction<Tables>, places: Place[]): Promise<void> {
  const distinct = new Set(places.map((place) => `${place.domain_id}/${place.slug}`));
  if (distinct.size < places.length) throw new ClipmillError("conflict", ROUTE_EXISTS);
  for (const place of places) {
    const taken = await trx
      .selectFrom("routes")
      .select("id")
      .where("domain_id", "=", place.domain_id)
      .where("slug", "=", place.slug)
      .where("id", "!=", place.id)
      .executeTakeFirst();
    if (taken) throw new ClipmillError("conflict", ROUTE_EXISTS);
  }
}
