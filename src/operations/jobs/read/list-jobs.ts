import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import { z } from "zod";
import type { ListJobsResponse } from "#contract/calls.ts";
import { JOB_TYPE_COLUMNS, JOB_TYPES, MOST_SEARCH_CHARACTERS } from "#contract/jobs/job-filter.ts";
import { JOB_STATUSES } from "#contract/jobs/jobs.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../../context.ts";
import { selectLightJobs, toJob } from "./select-jobs.ts";

const MOST_PER_PAGE = 100;
/** The maximum page size. */
const MOST_IDS = MOST_PER_PAGE;
/** With a search, counting stops here: the screen only needs to know that there are many. */
const MOST_COUNTED = 10_001;

/** An id's first characters are what is shown of it. */
const SHORTEST_ID_BEGINNING = 4;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const optionalText = z
  .string()
  .trim()
  .max(MOST_SEARCH_CHARACTERS)
  .optional()
  .transform((text) => text || undefined);

/**
 * Payload of jobs, action list. Numbers travel as strings; "all" means no filter. `ids` limits the search to these jobs: a list,
 * or comma-separated text.
 */
export const listJobsSchema = z.object({
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(MOST_PER_PAGE).default(10),
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
    .preprocess((ids) => (typeof ids === "string" ? ids.split(",") : ids), z.array(z.uuid()).min(1).max(MOST_IDS))
    .optional(),
});

type Filter = z.output<typeof listJobsSchema>;

/** A page of jobs, newest first, and how many match in all. */
export async function listJobs(context: Pick<Context, "db" | "links">, filter: Filter): Promise<ListJobsResponse> {
  const { total, ids } =
    filter.search || filter.ids
      ? await searchPage(context.db, filter)
      : { total: await countAll(context.db, filter), ids: null };
  if (ids?.length === 0) return { jobs: [], total };
  // The page by ids alone: what is computed for a row is not computed for the rows before the page.
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

/**
 * How many jobs a search finds, and the ids of the page when that is all of them: rare words are looked up once. Null
 * where more were found than are counted; then the newest of them are quickly found by walking the jobs in order.
 */
async function searchPage(db: Kysely<Tables>, filter: Filter): Promise<{ total: number; ids: string[] | null }> {
  const found = matching(db, filter).limit(MOST_COUNTED);
  const { rows } = await sql<{ total: number; ids: string[] | null }>`
    with found as materialized ${found}
    select counted.total, case when counted.total < ${MOST_COUNTED}::int then to_json(array(
      select id from found order by created_at desc, id desc
      limit ${filter.limit} offset ${(filter.page - 1) * filter.limit}
    )) end as ids
    from (select count(*) as total from found) counted`.execute(db);
  return rows[0]!;
}

/** Exact, from the counts that the table keeps of itself. */
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
 * The jobs whose name, captions or file names hold the text, or whose id begins with it. Many are not looked up in the index, which
 * would bring all of them: PostgreSQL guesses from a sample of the texts how many there are, mostly far too few. `strpos`
 * has no index, and is taken to find a third of all jobs, so that they are walked in order until the page is full.
 */
function searched(db: Kysely<Tables>, search: string, isCommon: boolean) {
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  const ids = idsBeginningWith(search);
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

/** The ids that a search means when it is the beginning of one; short texts like "add" are more likely words. */
function idsBeginningWith(search: string): { first: string; last: string } | null {
  const begin = search.toLowerCase();
  const isBeginning = begin.length >= SHORTEST_ID_BEGINNING && begin.length <= LAST_ID.length && isBeginningOfId(begin);
  return isBeginning
    ? { first: begin + FIRST_ID.slice(begin.length), last: begin + LAST_ID.slice(begin.length) }
    : null;
}

function isBeginningOfId(text: string): boolean {
  return /^[0-9a-f-]+$/.test(text) && text.replace(/[^-]/g, "0") === FIRST_ID.slice(0, text.length);
}
