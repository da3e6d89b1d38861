import { sql } from "kysely";
import { publicAddress } from "#contract/cloak/published-config.ts";

export type RouteAddress = { domain: string; slug: string };

/** In queries of `job_outputs`, for toLink. */
export const OUTPUT_ROUTE = sql<RouteAddress | null>`(
  select json_build_object('domain', domains.name, 'slug', routes.slug)
  from routes join domains on domains.id = routes.domain_id where routes.output_id = job_outputs.id
)`;

/** In queries of `job_outputs`; null without a route. */
export const OUTPUT_CLICKS = sql<number | null>`(
  select coalesce((select sum(redirects) from route_counts where route_id = routes.id), 0)::float8
  from routes where routes.output_id = job_outputs.id
)`;

/** Returns the public URL, percent-encoded. */
export function toLink(route: RouteAddress | null | undefined): string | null {
  return route ? new URL(publicAddress(route)).href : null;
}
