import { type SelectQueryBuilder, sql } from "kysely";
import { z } from "zod";
import type { ListJobsResponse } from "#contract/calls.ts";
import { JOB_STATUSES } from "#contract/jobs.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { selectJobs, toJob } from "./select-jobs.ts";

const MOST_PER_PAGE = 100;
/** With a search, counting stops here: the screen only needs to know that there are many. */
const MOST_COUNTED = 10_001;

const optionalText = z
  .string()
  .trim()
  .max(200)
  .optional()
  .transform((text) => text || undefined);

/** Payload of jobs, action list. Numbers travel as strings; "all" means no filter. */
export const listJobsSchema = z.object({
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(MOST_PER_PAGE).default(10),
  search: optionalText,
  status: z
    .enum([...JOB_STATUSES, "all", ""])
    .optional()
    .transform((status) => (status === "all" ? undefined : status || undefined)),
  type: z
    .enum(["captions", "audio", "all", ""])
    .optional()
    .transform((type) => (type === "all" ? undefined : type || undefined)),
});

/** A page of jobs, newest first, and how many match in all. */
export async function listJobs(
  context: Pick<Context, "db" | "links">,
  filter: z.output<typeof listJobsSchema>,
): Promise<ListJobsResponse> {
  const rows = await matching(selectJobs(context.db), filter)
    .orderBy("jobs.created_at", "desc")
    .orderBy("jobs.id", "desc")
    .limit(filter.limit)
    .offset((filter.page - 1) * filter.limit)
    .execute();
  const counted = matching(context.db.selectFrom("jobs").select("jobs.id"), filter);
  const { total } = await context.db
    .selectFrom((filter.search ? counted.limit(MOST_COUNTED) : counted).as("matching"))
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { jobs: rows.map((row) => toJob(row, context.links)), total };
}

function matching<Row>(
  query: SelectQueryBuilder<Tables, "jobs", Row>,
  filter: z.output<typeof listJobsSchema>,
): SelectQueryBuilder<Tables, "jobs", Row> {
  const { search, status, type } = filter;
  return query
    .$if(status !== undefined, (q) => q.where("jobs.status", "=", status!))
    .$if(type === "captions", (q) => q.where("jobs.captions_enabled", "=", true))
    .$if(type === "audio", (q) => q.where("jobs.audio_enabled", "=", true))
    .$if(search !== undefined, (q) => {
      const pattern = `%${search!.replace(/[\\%_]/g, "\\$&")}%`;
      return q.where((eb) =>
        eb.or([eb("jobs.job_name", "ilike", pattern), eb(sql<string>`jobs.id::text`, "ilike", pattern)]),
      );
    });
}
