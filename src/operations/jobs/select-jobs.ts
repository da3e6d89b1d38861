import { type Kysely, type Selectable, sql } from "kysely";
import { isFinal, type Job } from "#contract/jobs.ts";
import type { JobsTable, Tables } from "#database/tables.ts";
import type { LinkSigner } from "../downloads/link-signer.ts";
import { retentionDays } from "../retention/read-retention-days.ts";
import { withSettings } from "./stored-settings.ts";

const DAY_MS = 86_400_000;

/** Jobs with what is computed when a row is read. */
export function selectJobs(db: Kysely<Tables>) {
  return db
    .selectFrom("jobs")
    .selectAll("jobs")
    .select([
      sql<number | null>`case when jobs.status = 'Queued' and jobs.held_at is null then (
        select count(*) from jobs waiting where waiting.status = 'Queued' and waiting.held_at is null
          and (waiting.start_tag, waiting.queued_at, waiting.id) <= (jobs.start_tag, jobs.queued_at, jobs.id)
      ) end`.as("queue_position"),
      sql<number | null>`case when jobs.status in ('Queued', 'Processing') then (
        select count(*) from job_videos where job_videos.job_id = jobs.id and job_videos.status = 'Queued'
      ) end`.as("waiting_videos"),
      sql<number | null>`case when jobs.status in ('Processing', 'Cancelling') then (
        select count(*) from job_videos where job_videos.job_id = jobs.id and job_videos.status = 'Failed'
      ) end`.as("failed_videos"),
      retentionDays().as("retention_days"),
      sql<boolean>`exists (
        select from job_outputs where job_outputs.job_id = jobs.id and job_outputs.status = 'Completed'
      )`.as("has_outputs"),
    ]);
}

type SelectedJob = Selectable<JobsTable> & {
  queue_position: number | null;
  waiting_videos: number | null;
  failed_videos: number | null;
  has_outputs: boolean;
  retention_days: number | null;
};

/** A selected row as it goes over the wire. */
export function toJob(selected: SelectedJob, links: LinkSigner): Job {
  const { has_outputs: hasOutputs, retention_days: keptDays, created_by: _createdBy, ...rest } = selected;
  const { speed, speed_measured_at: _measuredAt, speed_measured_progress: _measuredProgress, ...measured } = rest;
  const { start_tag: _startTag, queued_at: _queuedAt, ...stored } = measured;
  const row = withSettings(stored);
  const hasFiles = hasOutputs && row.files_deleted_at === null;
  const isZipReady = hasFiles && row.status === "Completed" && row.download_enabled;
  return {
    ...row,
    seconds_left:
      row.status === "Processing" && row.held_at === null && speed ? Math.round((100 - row.progress) / speed) : null,
    folder_link: hasOutputs ? `/jobs/${row.id}` : null,
    files_kept_until: hasFiles && isFinal(row.status) && keptDays !== null ? daysAfter(row.updated_at, keptDays) : null,
    download_url: isZipReady ? links.sign(`/downloads/jobs/${row.id}`) : null,
  };
}

function daysAfter(iso: string, days: number): string {
  return new Date(Date.parse(iso) + days * DAY_MS).toISOString();
}
