import type { Connection } from "#contract/connections/connections.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";

const MAX_NAMED = 3;

/** Returns "Amazon S3, eu-west-1" or the endpoint's host. */
export function describePlace({ endpoint, region }: Pick<Connection, "endpoint" | "region">): string {
  return endpoint === null ? `Amazon S3, ${region}` : new URL(endpoint).host;
}

export function describeBuckets(buckets: readonly string[]): string {
  if (buckets.length === 0) return "Any other bucket";
  const named = buckets.slice(0, MAX_NAMED).join(", ");
  return buckets.length > MAX_NAMED ? `${named} and ${pluralize(buckets.length - MAX_NAMED, "more", "more")}` : named;
}

export function describeKey({ last4 }: Pick<Connection, "last4">): string {
  return last4 === null ? "Secret saved" : `Secret ending in ${last4}`;
}

/** Returns what the removal of a connection breaks. */
export function describeLoss({ used_by: jobs, used_by_total: total }: Connection): string {
  const [first] = jobs;
  if (!first) return "No unfinished job needs it. Links to its buckets will stop working.";
  if (total === 1) return `The job "${first.name}" needs it. Its videos that are not downloaded yet will fail.`;
  return `"${first.name}" and ${pluralize(total - 1, "other job")} need it. Their videos that are not downloaded yet will fail.`;
}
