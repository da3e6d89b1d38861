import { sql, type Transaction } from "kysely";
import { z } from "zod";
import {
  cleanSlug,
  CLOAK_LIMITS,
  FALLBACK_URL_RULE,
  isWebAddress,
  PRIMARY_URL_RULE,
  type Route,
} from "#contract/cloak/cloak.ts";
import { slugKey, slugProblem } from "#contract/cloak/published-config.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { type Changing, writeAudit } from "../../audit/write-audit.ts";
import { parseInput } from "../../parse-input.ts";
import { requireActiveDomains } from "../domains/change-domains.ts";
import { placeOf } from "./place-of.ts";

/** Requires active domains, except to deactivate routes. Throws like addRoute. */
export async function changeRoutes({ trx, actor }: Changing, ids: string[], body: unknown): Promise<void> {
  const changes = parseInput(routeSchema.partial(), body);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const count = Object.keys(given).length;
  if (count === 0) return;
  const isSwitchingOff = changes.active === false && count === 1;
  // Locks domains before routes, as a change of a domain does.
  const before = await trx.selectFrom("routes").select("domain_id").where("id", "in", ids).execute();
  const domainIds = changes.domain_id ? [changes.domain_id] : before.map((route) => route.domain_id);
  if (!isSwitchingOff && domainIds.length > 0) await requireActiveDomains(trx, domainIds);
  const routes = await trx
    .selectFrom("routes")
    .select(["id", "domain_id", "slug", "primary_url", "fallback_url"])
    .where("id", "in", ids)
    .orderBy("id")
    .forUpdate()
    .execute();
  const after = routes.map((route): typeof route => ({ ...route, ...given }));
  // Routes saved before trailing slashes were ignored may collide; they can still be deactivated.
  const isMoved = (route: (typeof routes)[number], i: number): boolean =>
    route.slug !== routes[i]!.slug || route.domain_id !== routes[i]!.domain_id;
  await requireFreeSlugs(trx, after.filter(isMoved));
  if (!isSwitchingOff) await requireNoSelfRedirects(trx, after);
  await trx.updateTable("routes").set(changes).where("id", "in", ids).execute();
  await writeAudit(trx, actor, { action: "routes.change", subjects: ids });
}

/** Throws ClipmillError "invalid" (input or inactive domain), "not_found" (domain) or "conflict" (slug). */
export async function addRoute({ trx, actor }: Changing, body: unknown): Promise<Route> {
  const input = parseInput(routeSchema, body);
  await requireActiveDomains(trx, [input.domain_id]);
  await requireNoSelfRedirects(trx, [{ ...input, fallback_url: input.fallback_url ?? null }]);
  await requireFreeSlugs(trx, [{ id: null, ...input }]);
  const route = await trx
    .insertInto("routes")
    .values(input)
    .onConflict((row) => row.columns(["domain_id", "slug"]).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!route) throw new ClipmillError("conflict", ROUTE_EXISTS);
  await writeAudit(trx, actor, { action: "routes.add", subjects: [route.id] });
  return route;
}

const SLUG_NEEDED = "Enter a slug";
const SLUG_LENGTH = `Slugs can have at most ${CLOAK_LIMITS.slugCharacters} characters`;
const URL_LENGTH = `URLs can have at most ${CLOAK_LIMITS.urlCharacters} characters`;

const routeSchema = z.object({
  domain_id: z.uuid({ error: "Choose a domain" }),
  slug: z
    .string({ error: SLUG_NEEDED })
    .transform(cleanSlug)
    .refine((slug) => slug !== "", SLUG_NEEDED)
    .refine((slug) => slug.length <= CLOAK_LIMITS.slugCharacters, SLUG_LENGTH)
    .refine((slug) => slugProblem(slug) === null, { error: ({ input }) => slugProblem(String(input)) ?? SLUG_NEEDED }),
  primary_url: z
    .string({ error: PRIMARY_URL_RULE })
    .trim()
    .max(CLOAK_LIMITS.urlCharacters, URL_LENGTH)
    .refine(isWebAddress, PRIMARY_URL_RULE),
  fallback_url: z
    .string({ error: FALLBACK_URL_RULE })
    .trim()
    .max(CLOAK_LIMITS.urlCharacters, URL_LENGTH)
    .refine((url) => url === "" || isWebAddress(url), FALLBACK_URL_RULE)
    .nullish()
    // A field missing from a change must stay undefined.
    .transform((url) => (url === undefined ? undefined : url || null)),
  active: z.boolean().optional(),
});

type Ends = { domain_id: string; slug: string; primary_url: string; fallback_url: string | null };

/** Throws ClipmillError "invalid" for a route to itself; publishing finds longer loops. */
async function requireNoSelfRedirects(trx: Transaction<Tables>, routes: Ends[]): Promise<void> {
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

const ROUTE_EXISTS = "This domain already has a route with this slug.";

type Place = { id: string | null; domain_id: string; slug: string };

/** Throws ClipmillError "conflict" for a taken slug, ignoring trailing slashes. */
async function requireFreeSlugs(trx: Transaction<Tables>, places: Place[]): Promise<void> {
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
