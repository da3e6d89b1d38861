import type { Changing } from "../../audit/actor.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import { parseInput } from "../../parse-input.ts";
import { requireActiveDomains } from "../domains/require-active-domain.ts";
import { requireFreeSlugs } from "./require-free-slugs.ts";
import { refuseSelfRedirects } from "./refuse-self-redirects.ts";
import { routeSchema } from "./route-input.ts";

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
  if (!isSwitchingOff) await refuseSelfRedirects(trx, after);
  await trx.updateTable("routes").set(changes).where("id", "in", ids).execute();
  await writeAudit(trx, actor, { action: "routes.change", subjects: ids });
}
