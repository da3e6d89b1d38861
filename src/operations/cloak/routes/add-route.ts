import type { Route } from "#contract/cloak/cloak.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Changing } from "../../audit/actor.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import { parseInput } from "../../parse-input.ts";
import { requireFreeSlugs, ROUTE_EXISTS } from "./require-free-slugs.ts";
import { requireActiveDomains } from "../domains/require-active-domain.ts";
import { refuseSelfRedirects } from "./refuse-self-redirects.ts";
import { routeSchema } from "./route-input.ts";

/** Throws ClipmillError "invalid" (input or inactive domain), "not_found" (domain) or "conflict" (slug). */
export async function addRoute({ trx, actor }: Changing, body: unknown): Promise<Route> {
  const input = parseInput(routeSchema, body);
  await requireActiveDomains(trx, [input.domain_id]);
  await refuseSelfRedirects(trx, [{ ...input, fallback_url: input.fallback_url ?? null }]);
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
