import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import { slugKey } from "#contract/cloak/published-config.ts";
import type { MakeLinksResponse } from "#contract/links/job-links.ts";
import { countCloakChange, readCloakChanges } from "../../cloak/publishing/count-changes.ts";
import { selectColumns } from "../../select-columns.ts";
import { WHOLE_JOBS } from "../read/select-jobs.ts";
import { domainProblem, NO_ADDRESS } from "./domain-problem.ts";
import { type LinkedJob, type PlannedLink, planLinks, type UnlinkedOutput } from "./plan-links.ts";

const ROWS_PER_STATEMENT = 1_000;
const COLUMNS = ["job_name", "total_videos", "format", "segmentation_type", "name_pattern"];
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
