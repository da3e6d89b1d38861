import { type Kysely, sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { type JobLinks, LINK_DAYS, type OutputLink } from "#contract/links/job-links.ts";
import type { Tables } from "#database/tables.ts";
import { type Actor, writeAudit } from "../../audit/write-audit.ts";
import { countCloakChange } from "../../cloak/publishing/count-changes.ts";
import { daysAgo } from "../../cloak/read-cloak-state.ts";
import type { Context } from "../../context.ts";
import { domainProblem, OUTPUT_ROUTE, type RouteAddress, toLink } from "./make-links.ts";

/** Throws ClipmillError "not_found". */
export async function readLinks({ db }: Pick<Context, "db">, jobId: string): Promise<JobLinks> {
  const job = await db
    .selectFrom("jobs")
    .select([
      "status",
      "links_change",
      sql<string | null>`settings ->> 'link_domain_id'`.as("domainId"),
      sql<number>`(select published from cloak_changes)`.as("published"),
    ])
    .where("id", "=", jobId)
    .executeTakeFirst();
  if (!job) throw new ClipmillError("not_found", "The job does not exist.");
  const links = await selectLinks(db, jobId);
  const hasLinks = job.domainId !== null;
  const missing = hasLinks && job.status === "Completed" ? (await countFiles(db, jobId)) - links.length : 0;
  const first = daysAgo(LINK_DAYS - 1);
  return {
    first_day: first,
    links,
    missing,
    problem: missing > 0 ? await readProblem(db, job.domainId!) : null,
    is_published: job.links_change === null || job.links_change <= job.published,
  };
}

async function selectLinks(db: Kysely<Tables>, jobId: string): Promise<OutputLink[]> {
  const from = daysAgo(LINK_DAYS - 1);
  const { rows } = await sql<OutputLink & { route: RouteAddress; recent: Record<string, number> | null }>`
    select job_outputs.id as output_id, job_outputs.name, job_videos.position, variant, segment,
      ${OUTPUT_ROUTE} as route, routes.id as route_id, routes.primary_url as target, routes.active as is_active,
      coalesce(counted.clicks, 0)::float8 as clicks, counted.recent
    from routes
    join job_outputs on job_outputs.id = routes.output_id
    join job_videos on job_videos.id = job_outputs.video_id
    left join (
      select route_id, sum(clicks) as clicks, json_object_agg(day, clicks) filter (where day >= ${from}::date) as recent
      from (
        select route_id, day, sum(redirects) as clicks from route_counts
        where route_id in (
          select own.id from routes own join job_outputs made on made.id = own.output_id where made.job_id = ${jobId}
        )
        group by route_id, day
      ) as daily group by route_id
    ) as counted on counted.route_id = routes.id
    where job_outputs.job_id = ${jobId}
    order by job_videos.position, variant, segment`.execute(db);
  const days = Array.from({ length: LINK_DAYS }, (_, i) => daysAgo(LINK_DAYS - 1 - i));
  return rows.map(({ route, recent, ...link }) =>
    Object.assign(link, { url: toLink(route)!, days: days.map((day) => recent?.[day] ?? 0) }),
  );
}

async function countFiles(db: Kysely<Tables>, jobId: string): Promise<number> {
  const { files } = await db
    .selectFrom("job_outputs")
    .select((eb) => eb.fn.countAll<number>().as("files"))
    .where("job_id", "=", jobId)
    .where("status", "=", "Completed")
    .executeTakeFirstOrThrow();
  return files;
}

async function readProblem(db: Kysely<Tables>, domainId: string): Promise<string | null> {
  return domainProblem(
    await db.selectFrom("domains").select(["name", "status"]).where("id", "=", domainId).executeTakeFirst(),
  );
}

/** The job's routes stay without it, or are deleted. Requires the job's lock. */
export async function releaseLinks(
  trx: Transaction<Tables>,
  actor: Actor,
  jobId: string,
  { isDeleting }: { isDeleting: boolean },
): Promise<void> {
  const outputs = trx.selectFrom("job_outputs").select("id").where("job_id", "=", jobId);
  const ofJob = await trx
    .selectFrom("routes")
    .select("domain_id")
    .distinct()
    .where("output_id", "in", outputs)
    .execute();
  if (ofJob.length === 0) return;
  const domainIds = ofJob.map((route) => route.domain_id);
  // Locks domains before routes, as a change of a domain does; otherwise, both could deadlock.
  await trx.selectFrom("domains").select("id").where("id", "in", domainIds).orderBy("id").forNoKeyUpdate().execute();
  if (!isDeleting) return;
  await writeAudit(trx, actor, { action: "job.delete-links", subjects: [jobId] });
  await trx.deleteFrom("routes").where("output_id", "in", outputs).execute();
  await countCloakChange(trx);
}
