import { sql, type Transaction } from "kysely";
import type { Domain } from "#contract/cloak/cloak.ts";
import { publicAddress, slugKey } from "#contract/cloak/published-config.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import type { MakeLinksResponse } from "#contract/links/job-links.ts";
import type { Tables } from "#database/tables.ts";
import { type ActorContext, writeAudit } from "../../audit/write-audit.ts";
import { countCloakChange, readCloakChanges } from "../../cloak/publishing/count-changes.ts";
import type { Context } from "../../context.ts";
import { selectColumns } from "../../select-columns.ts";
import { errorOf } from "../create/snapshot-sets.ts";
import { lockJob } from "../lock-job.ts";
import { WHOLE_JOBS } from "../read/select-jobs.ts";
import { type LinkedJob, planLinks, type PlannedLink, type UnlinkedOutput } from "./plan-links.ts";

const ROWS_PER_STATEMENT = 1_000;
const COLUMNS = [
  "job_name",
  "total_videos",
  "format",
  "formats",
  "languages",
  "subtitle_languages",
  "subtitles_enabled",
  "segmentation_type",
  "name_pattern",
];
const LINK_COLUMNS = ["link_domain_id", "link_target", "link_slug_pattern", "link_utm"];

/** Makes missing routes. Idempotent. Never fails the job. Requires its lock. */
export async function makeLinks(trx: Transaction<Tables>, jobId: string): Promise<MakeLinksResponse> {
  const job = await selectColumns<LinkedJob & { link_domain_id: string | null }>(
    trx,
    "jobs",
    [...COLUMNS, ...LINK_COLUMNS],
    WHOLE_JOBS,
  )
    .where("jobs.id", "=", jobId)
    .executeTakeFirst();
  if (!job?.link_domain_id) return { made: 0, problem: null };
  // Blocks other routes of the domain, so that none takes a slug found free.
  const domain = await trx
    .selectFrom("domains")
    .select(["id", "name", "status"])
    .where("id", "=", job.link_domain_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const problem = domainProblem(domain);
  if (!domain || problem !== null) return { made: 0, problem };
  const outputs = await selectUnlinked(trx, jobId).execute();
  if (outputs.length === 0) return { made: 0, problem: null };
  const slugs = await trx.selectFrom("routes").select("slug").where("domain_id", "=", domain.id).execute();
  const planned = planLinks(job, domain.name, outputs, new Set(slugs.map(({ slug }) => slugKey(slug))));
  for (let start = 0; start < planned.length; start += ROWS_PER_STATEMENT) {
    await insertRoutes(trx, domain.id, planned.slice(start, start + ROWS_PER_STATEMENT));
  }
  if (planned.length > 0) {
    await countCloakChange(trx);
    const change = await readCloakChanges(trx);
    await trx.updateTable("jobs").set({ links_change: change }).where("id", "=", jobId).execute();
  }
  return { made: planned.length, problem: planned.length < outputs.length ? NO_ADDRESS : null };
}

function selectUnlinked(trx: Transaction<Tables>, jobId: string) {
  return trx
    .selectFrom("job_outputs")
    .innerJoin("job_videos", "job_videos.id", "job_outputs.video_id")
    .leftJoin("routes", "routes.output_id", "job_outputs.id")
    .select([
      "job_outputs.id",
      "job_outputs.name",
      "variant",
      "segment",
      "caption",
      "track",
      "position",
      "row_settings",
      "row_pass",
      "row_name",
      "job_videos.name as video_name",
    ])
    .where("job_outputs.job_id", "=", jobId)
    .where("job_outputs.status", "=", "Completed")
    .where("routes.id", "is", null)
    .orderBy("position")
    .orderBy("variant")
    .orderBy("segment")
    .$castTo<UnlinkedOutput>();
}

async function insertRoutes(trx: Transaction<Tables>, domainId: string, links: readonly PlannedLink[]): Promise<void> {
  const rows = JSON.stringify(links.map(({ outputId: id, slug, target }) => ({ id, slug, target })));
  await sql`
    insert into routes (domain_id, slug, primary_url, output_id)
    select ${domainId}::uuid, slug, target, id
    from jsonb_to_recordset(${rows}::jsonb) as planned (id uuid, slug text, target text)`.execute(trx);
}

/** Idempotent. Throws ClipmillError "not_found", or "conflict" unless the job is completed. */
export function makeMissingLinks(
  context: Pick<Context, "db"> & ActorContext,
  jobId: string,
): Promise<MakeLinksResponse> {
  return context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, jobId);
    if (!job) throw new ClipmillError("not_found", "The job does not exist.");
    if (job.status !== "Completed") throw new ClipmillError("conflict", "Only a completed job has links.");
    const result = await makeLinks(trx, jobId);
    if (result.made > 0) await writeAudit(trx, context.actor, { action: "job.make-links", subjects: [jobId] });
    return result;
  });
}

const NO_ADDRESS = "Their link target is not a web address of at most 2,000 characters.";

export function domainProblem(domain: Pick<Domain, "name" | "status"> | undefined): string | null {
  if (!domain) return "The link domain no longer exists.";
  if (domain.status === "active") return null;
  return `The link domain ${domain.name} is inactive. Activate it in Cloak Manager.`;
}

/** Throws ClipmillError "invalid" for a missing or inactive domain. */
export async function requireLinkDomain(
  trx: Transaction<Tables>,
  { link_domain_id: id }: Pick<JobSettings, "link_domain_id">,
): Promise<void> {
  if (id === null) return;
  const domain = await trx.selectFrom("domains").select(["name", "status"]).where("id", "=", id).executeTakeFirst();
  const problem = domainProblem(domain);
  if (problem !== null) throw errorOf({ title: "Link Domain Not Available", description: problem });
}

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
