import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import { parseCreateJob } from "#contract/jobs/create-job.ts";
import { countFiles, countOutputSeconds } from "#contract/jobs/outputs/count-files.ts";
import { countWork } from "#contract/jobs/outputs/count-work.ts";
import { forecastSeconds } from "#contract/jobs/outputs/measured-work.ts";
import { PLANNED, planCaptions, type PlannedCaptions } from "#contract/jobs/outputs/planned-captions.ts";
import { withSwitches } from "#contract/jobs/video-settings.ts";
import type { PreflightVideo } from "#contract/sources/preflight.ts";
import type { JobTableResponse } from "#contract/table/job-table.ts";
import type { Context } from "../../context.ts";
import { readAcceptedSources } from "../../sources/prepare-sources.ts";
import { snapshotSets } from "../create/snapshot-sets.ts";
import { readMeasuredWork } from "../read/read-measured-work.ts";

type Table = { settings: Record<string, unknown>; rows: JobTableResponse["rows"] };
type Forecast = NonNullable<JobTableResponse["forecast"]>;

/**
 * What the job would make and how long it would take, as the form shows it. `videos`: the checks of all its links.
 * Returns null if the job cannot be created. Throws ClipmillError "invalid" if a set does not exist.
 */
export async function forecastTable(
  context: Pick<Context, "db" | "hosts">,
  { settings, rows }: Table,
  videos: readonly PreflightVideo[],
): Promise<Forecast | null> {
  const job = await readJob(context, { settings, rows });
  if (!job) return null;
  const lengths = new Map(videos.map(({ link, duration_seconds: seconds }) => [link, seconds]));
  const counted = job.rows.map(({ link, settings: row }, i) => ({
    link,
    durationSeconds: lengths.get(rows[i]!.link) ?? null,
    row: row ? withSwitches(row) : null,
  }));
  const outputSeconds = countOutputSeconds(job, counted);
  const [work, measured] = [countWork(job, counted), await readMeasuredWork(context)];
  const { files, different } = countFiles(job, counted);
  return {
    files,
    different_files: different,
    output_seconds: outputSeconds,
    seconds: work && measured && Math.round(forecastSeconds(work, measured)),
    size_bytes: outputSeconds === null || !measured ? null : Math.round(outputSeconds * measured.bytesPerSecond),
    pending_links: videos.filter(({ state }) => state === "pending").length,
  };
}

/** Returns the captions of the first videos, by variant. Throws ClipmillError "invalid" if a set does not exist. */
export async function readPlannedCaptions(
  context: Pick<Context, "db" | "hosts">,
  { settings, rows }: Table,
): Promise<PlannedCaptions[]> {
  const job = await readJob(context, { settings, rows: rows.slice(0, PLANNED.videos) });
  return job ? planCaptions(job, job.rows) : [];
}

/** With the contents of sets; null if the job cannot be created. */
async function readJob(context: Pick<Context, "db" | "hosts">, { settings, rows }: Table): Promise<JobSettings | null> {
  const parsed = parseCreateJob({ ...settings, job_name: "Table", rows }, await readAcceptedSources(context));
  if (!parsed.ok) return null;
  return await context.db.transaction().execute((trx) => snapshotSets(trx, parsed.input));
}
