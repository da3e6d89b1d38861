import { type Kysely, type Selectable, sql } from "kysely";
import type { JobSettings, SettingName } from "#contract/job-settings/job-settings.ts";
import type { Setting } from "#contract/job-settings/setting-kinds.ts";
import { SETTING_NAMES, settingOf } from "#contract/job-settings/setting-values.ts";
import { isFinal, type Job, LONG_LISTS, type WholeJob } from "#contract/jobs/jobs.ts";
import type { JobsTable, Tables } from "#database/tables.ts";
import type { LinkSigner } from "../../downloads/link-signer.ts";
import { retentionDays } from "../../retention/read-retention-days.ts";
import { type ColumnSources, type ColumnType, selectColumns } from "../../select-columns.ts";
import { isProofOpen } from "../proof/wait-for-approval.ts";
import { ROWS_EXPRESSION, type StoredRow, toRows } from "./select-videos.ts";
import { SETTING_EXPRESSIONS } from "./stored-settings.ts";

const DAY_MS = 86_400_000;

const SETTING_COLUMNS = Object.fromEntries(SETTING_NAMES.map((name) => [name, typeOf(settingOf(name))])) as Record<
  SettingName,
  ColumnType
>;

export const JOB_COLUMNS = {
  id: "uuid",
  ...SETTING_COLUMNS,
  status: "text",
  queue_position: "computed",
  folder_link: "computed",
  download_url: "computed",
  manifest_url: "computed",
  thumbnail_url: "computed",
  error_message: "text",
  progress: "number",
  current_video: "integer",
  total_videos: "integer",
  seconds_left: "computed",
  failed_videos: "computed",
  waiting_videos: "computed",
  retry_count: "integer",
  max_retries: "integer",
  processing_started_at: "time",
  files_deleted_at: "time",
  files_kept_until: "computed",
  proof_state: "text",
  awaiting_approval: "computed",
  awaited_seconds: "number",
  awaiting_since: "time",
  held_at: "time",
  updated_at: "time",
  created_at: "time",
} as const satisfies Record<string, ColumnType>;

const expressions = {
  ...SETTING_EXPRESSIONS,
  rows: ROWS_EXPRESSION,
  queue_position: sql<number | null>`case when jobs.status = 'Queued' and jobs.held_at is null then (
    select count(*) from jobs waiting where waiting.status = 'Queued' and waiting.held_at is null
      and (waiting.start_tag, waiting.queued_at, waiting.id) <= (jobs.start_tag, jobs.queued_at, jobs.id)
  ) end`,
  waiting_videos: sql<number | null>`case when jobs.status in ('Queued', 'Processing') then (
    select coalesce(sum(waiting), 0)::int from video_counts where video_counts.job_id = jobs.id
  ) end`,
  failed_videos: sql<number | null>`case when jobs.status in ('Processing', 'Cancelling', 'Completed') then (
    select coalesce(sum(failed), 0)::int from video_counts where video_counts.job_id = jobs.id
  ) end`,
  awaiting_approval: sql<boolean>`(jobs.status = 'Processing' and jobs.proof_state is not distinct from 'waiting')`,
  retention_days: retentionDays(),
  // `speed` is a setting.
  measured_speed: sql<number | null>`jobs.speed`,
  // With "exists", PostgreSQL may scan the table instead of using the index.
  has_outputs: sql<boolean>`(
    select id from job_outputs where job_outputs.job_id = jobs.id and job_outputs.status = 'Completed'
    order by id limit 1
  ) is not null`,
  // Of the same output, so that it takes one lookup however many have a thumbnail.
  thumbnail_id: sql<string | null>`(
    select case when thumbnail_key is not null then id end from job_outputs
    where job_outputs.job_id = jobs.id and job_outputs.status = 'Completed' order by id limit 1
  )`,
};
const files = ["id", "has_outputs", "files_deleted_at", "status"];

export const WHOLE_JOBS: ColumnSources = {
  expressions,
  parts: {
    seconds_left: ["status", "held_at", "proof_state", "measured_speed", "progress"],
    folder_link: ["id", "has_outputs"],
    thumbnail_url: ["thumbnail_id", "files_deleted_at"],
    files_kept_until: [...files, "updated_at", "retention_days"],
    download_url: [...files, "download_enabled"],
    manifest_url: [...files, "download_enabled"],
  },
};

function wholeList(list: (typeof LONG_LISTS)[number]) {
  return list === "rows" ? ROWS_EXPRESSION : sql.ref(`jobs.${list}`);
}

/** Null instead of long lists. */
export const LIGHT_JOBS: ColumnSources = {
  ...WHOLE_JOBS,
  expressions: {
    ...expressions,
    ...Object.fromEntries(
      LONG_LISTS.map((list) => [list, sql`case when jobs.omitted_bytes is null then ${wholeList(list)} end`]),
    ),
  },
};

export function selectJobs(db: Kysely<Tables>) {
  return selectColumns<SelectedJob>(db, "jobs", Object.keys(JOB_COLUMNS), WHOLE_JOBS);
}

export function selectLightJobs(db: Kysely<Tables>) {
  return selectColumns<SelectedJob>(db, "jobs", Object.keys(JOB_COLUMNS), LIGHT_JOBS);
}

type StoredColumn = Exclude<Extract<keyof JobsTable, keyof typeof JOB_COLUMNS>, "speed">;

type SelectedJob = Omit<JobSettings, "rows"> & { rows: StoredRow[] | null } & Pick<
    Selectable<JobsTable>,
    StoredColumn
  > & {
    queue_position: number | null;
    waiting_videos: number | null;
    failed_videos: number | null;
    awaiting_approval: boolean;
    measured_speed: number | null;
    has_outputs: boolean;
    thumbnail_id: string | null;
    /** Absent if no selected column needs it. */
    retention_days?: number | null;
  };

/** Omits lists that were not read. */
export function toJob(selected: SelectedJob, links: LinkSigner): Job {
  const {
    has_outputs: hasOutputs,
    thumbnail_id: thumbnailId,
    retention_days: keptDays,
    measured_speed: measuredSpeed,
    rows,
    ...row
  } = selected;
  const hasFiles = hasOutputs && row.files_deleted_at === null;
  const isZipReady = hasFiles && row.status === "Completed" && row.download_enabled;
  const job: Job = {
    ...row,
    ...(rows && { rows: toRows(rows) }),
    seconds_left:
      isRunningOn(row) && row.held_at === null && measuredSpeed
        ? Math.round((100 - row.progress) / measuredSpeed)
        : null,
    folder_link: hasOutputs ? `/jobs/${row.id}` : null,
    files_kept_until:
      hasFiles && isFinal(row.status) && typeof keptDays === "number" ? daysAfter(row.updated_at, keptDays) : null,
    download_url: isZipReady ? links.sign(`/downloads/jobs/${row.id}`) : null,
    thumbnail_url:
      thumbnailId && row.files_deleted_at === null ? links.sign(`/downloads/thumbnails/${thumbnailId}`) : null,
    manifest_url: isZipReady ? links.sign(`/downloads/manifests/${row.id}`) : null,
  };
  for (const list of LONG_LISTS) if (job[list] === null) delete job[list];
  return job;
}

/** The time of an approval is unknown. */
function isRunningOn(row: Pick<Job, "status" | "proof_state">): boolean {
  return row.status === "Processing" && !isProofOpen(row);
}

export function toWholeJob(selected: SelectedJob, links: LinkSigner): WholeJob {
  return toJob(selected, links) as WholeJob;
}

function daysAfter(iso: string, days: number): string {
  return new Date(Date.parse(iso) + days * DAY_MS).toISOString();
}

function typeOf(row: Setting): ColumnType {
  if (row.stored !== "column") return "computed";
  switch (row.kind) {
    case "flag":
      return "boolean";
    case "number":
      return row.isWhole ? "integer" : "number";
    case "optionalNumber":
    case "gain":
    case "share":
      return "number";
    case "ids":
    case "list":
    case "requiredList":
    case "shape":
      return "list";
    case "id":
      return "uuid";
    case "choice":
      return row.isNumeric ? "integer" : "text";
    case "color":
    case "text":
    case "link":
    case "requiredText":
      return "text";
  }
}
