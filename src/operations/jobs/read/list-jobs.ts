import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import { z } from "zod";
import type { ListJobsResponse } from "#contract/calls.ts";
import { JOB_TYPE_COLUMNS, JOB_TYPES, MAX_SEARCH_CHARACTERS } from "#contract/jobs/job-filter.ts";
import { JOB_STATUSES } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../../context.ts";
import { selectLightJobs, toJob } from "./select-jobs.ts";

const MAX_PER_PAGE = 100;
const MAX_IDS = MAX_PER_PAGE;
/** Searches count no further. */
const MAX_COUNTED = 10_001;

/** Screens show an id's first characters. */
const MIN_ID_PREFIX_LENGTH = 4;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const optionalText = z
  .string()
  .trim()
  .max(MAX_SEARCH_CHARACTERS)
  .optional()
  .transform((text) => text || undefined);

/** Numbers are strings; "all" means no filter. `ids` is an array or comma-separated text. */
export const listJobsSchema = z.object({
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(MAX_PER_PAGE).default(10),
  search: optionalText,
  status: z
    .enum([...JOB_STATUSES, "all", ""])
    .optional()
    .transform((status) => (status === "all" ? undefined : status || undefined)),
  type: z
    .enum([...JOB_TYPES, "all", ""])
    .optional()
    .transform((type) => (type === "all" ? undefined : type || undefined)),
  ids: z
    .preprocess((ids) => (typeof ids === "string" ? ids.split(",") : ids), z.array(z.uuid()).min(1).max(MAX_IDS))
    .optional(),
});

type Filter = z.output<typeof listJobsSchema>;

export async function listJobs(context: Pick<Context, "db" | "links">, filter: Filter): Promise<ListJobsResponse> {
  const { total, ids } =
    filter.search || filter.ids
      ? await searchPage(context.db, filter)
      : { total: await countAll(context.db, filter), ids: null };
  if (ids?.length === 0) return { jobs: [], total };
  // Finds the page's ids first: columns of rows before the page are not computed.
  const rows = await selectLightJobs(context.db)
    .where("jobs.id", "in", ids ?? newestPage(context.db, filter))
    .orderBy("jobs.created_at", "desc")
    .orderBy("jobs.id", "desc")
    .execute();
  return { jobs: rows.map((row) => toJob(row, context.links)), total };
}

function newestPage(db: Kysely<Tables>, filter: Filter) {
  return db
    .selectFrom(matching(db, filter, { isCommon: true }).as("found"))
    .select("found.id")
    .orderBy("found.created_at", "desc")
    .orderBy("found.id", "desc")
    .limit(filter.limit)
    .offset((filter.page - 1) * filter.limit);
}

/** Looks up rare words once. `ids` is null above the counting limit, where walking the jobs is faster. */
async function searchPage(db: Kysely<Tables>, filter: Filter): Promise<{ total: number; ids: string[] | null }> {
  const found = matching(db, filter).limit(MAX_COUNTED);
  const { rows } = await sql<{ total: number; ids: string[] | null }>`
    with found as materialized ${found}
    select counted.total, case when counted.total < ${MAX_COUNTED}::int then to_json(array(
      select id from found order by created_at desc, id desc
      limit ${filter.limit} offset ${(filter.page - 1) * filter.limit}
    )) end as ids
    from (select count(*) as total from found) counted`.execute(db);
  return rows[0]!;
}

/** Exact, from the counts that the table maintains. */
async function countAll(db: Kysely<Tables>, filter: Filter): Promise<number> {
  const { total } = await db
    .selectFrom("job_counts")
    .select(sql<number>`coalesce(sum(jobs), 0)`.as("total"))
    .$if(filter.status !== undefined, (q) => q.where("status", "=", filter.status!))
    .$if(filter.type !== undefined, (q) => q.where(JOB_TYPE_COLUMNS[filter.type!], "=", true))
    .executeTakeFirstOrThrow();
  return total;
}

type Found = { id: string; created_at: string };

function matching(
  db: Kysely<Tables>,
  filter: Filter,
  { isCommon = false } = {},
): SelectQueryBuilder<Tables, keyof Tables, Found> {
  const { search, status, type, ids } = filter;
  if (search === undefined) return narrowed(db, filter).select(["jobs.id", "jobs.created_at"]);
  const isNarrowed = status !== undefined || type !== undefined;
  return searched(db, search, isCommon)
    .select(["job_search.job_id as id", "job_search.created_at"])
    .$if(ids !== undefined, (q) => q.where("job_search.job_id", "in", ids!))
    .$if(isNarrowed, (q) => q.where("job_search.job_id", "in", narrowed(db, filter).select("jobs.id")));
}

function narrowed(db: Kysely<Tables>, { status, type, ids }: Filter) {
  return db
    .selectFrom("jobs")
    .$if(ids !== undefined, (q) => q.where("jobs.id", "in", ids!))
    .$if(status !== undefined, (q) => q.where("jobs.status", "=", status!))
    .$if(type !== undefined, (q) => q.where(`jobs.${JOB_TYPE_COLUMNS[type!]}`, "=", true));
}

/**
 * Matches ids by prefix. Common texts bypass the index, which would return all matches. `strpos` has no index and is
 * estimated to match a third of all jobs, so PostgreSQL walks the jobs in order until the page is full.
 */
function searched(db: Kysely<Tables>, search: string, isCommon: boolean) {
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  const ids = idsWithPrefix(search);
  return db
    .selectFrom("job_search")
    .where((row) =>
      row.or([
        isCommon
          ? sql<boolean>`strpos(search_text, lower(${search})) > 0`
          : row("search_text", "like", sql<string>`lower(${pattern})`),
        ...(ids ? [row.between("job_id", ids.first, ids.last)] : []),
      ]),
    );
}

/** Shorter texts such as "add" are more likely words. */
function idsWithPrefix(search: string): { first: string; last: string } | null {
  const begin = search.toLowerCase();
  const isPrefix = begin.length >= MIN_ID_PREFIX_LENGTH && begin.length <= LAST_ID.length && isIdPrefix(begin);
  return isPrefix ? { first: begin + FIRST_ID.slice(begin.length), last: begin + LAST_ID.slice(begin.length) } : null;
}

function isIdPrefix(text: string): boolean {
  return /^[0-9a-f-]+$/.test(text) && text.replace(/[^-]/g, "0") === FIRST_ID.slice(0, text.length);
}
