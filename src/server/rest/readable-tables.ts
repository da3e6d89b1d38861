import type { Kysely, SelectQueryBuilder } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { LinkSigner } from "#operations/downloads/link-signer.ts";
import { selectJobs, toJob } from "#operations/jobs/select-jobs.ts";
import { toOutput } from "#operations/jobs/to-output.ts";

type Row = Record<string, unknown>;

/** A table that REST may read: which columns filter and sort it, and how its rows are selected and sent. */
export type ReadableTable = {
  name: "jobs" | "job_videos" | "job_outputs";
  filters: readonly string[];
  orders: readonly string[];
  mostRows: number;
  select(db: Kysely<Tables>): SelectQueryBuilder<Tables, keyof Tables, Row>;
  toWire(row: Row, links: LinkSigner): Row;
};

/** Nothing but these tables and columns can be reached, whatever a query names. */
export const READABLE_TABLES: Record<string, ReadableTable> = {
  jobs: {
    name: "jobs",
    filters: ["id", "status"],
    orders: ["id", "created_at", "updated_at", "job_name", "status"],
    mostRows: 1_000,
    select: (db) => selectJobs(db),
    toWire: (row, links) => toJob(row as Parameters<typeof toJob>[0], links),
  },
  job_videos: {
    name: "job_videos",
    filters: ["id", "job_id", "status"],
    orders: ["id", "position", "created_at", "updated_at"],
    mostRows: 10_000,
    select: (db) => db.selectFrom("job_videos").selectAll(),
    toWire: (row) => row,
  },
  job_outputs: {
    name: "job_outputs",
    filters: ["id", "job_id", "video_id", "status"],
    orders: ["id", "variant", "segment", "name", "created_at", "updated_at"],
    mostRows: 10_000,
    select: (db) => db.selectFrom("job_outputs").selectAll(),
    toWire: (row, links) => toOutput(row as Parameters<typeof toOutput>[0], links),
  },
};
