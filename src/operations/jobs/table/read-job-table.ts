import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { countFiles } from "#contract/jobs/outputs/count-files.ts";
import { parseCreateJob } from "#contract/jobs/create-job.ts";
import type { AcceptedSources } from "#contract/sources/accepted-sources.ts";
import type { JobTableRequest, JobTableResponse } from "#contract/table/job-table.ts";
import { mapColumns } from "#contract/table/map-columns.ts";
import { readRows } from "#contract/table/read-rows.ts";
import { readTable } from "#contract/table/read-table.ts";
import type { TableProblem } from "#contract/table/table.ts";
import type { Context } from "../../context.ts";
import { readAcceptedSources } from "../../sources/accepted-sources.ts";
import { fetchTable } from "./fetch-table.ts";

/** Also returns a plan and problems. Throws like fetchTable. */
export async function readJobTable(
  context: Pick<Context, "db" | "hosts">,
  { csv, url, encoding, mapping, settings }: JobTableRequest,
  signal: AbortSignal,
): Promise<Omit<JobTableResponse, "warnings">> {
  const text = url ? await fetchTable(context, { url, encoding: encoding ?? null }, signal) : (csv ?? "");
  const accepted = await readAcceptedSources(context);
  const table = readTable(text);
  const columns = mapColumns(table.columns, new Map(Object.entries(mapping)));
  const { rows, problems } = readRows(table, columns, { accepted, settings });
  const planned = planOf(settings, rows, accepted);
  return {
    rows,
    problems: planned.problem ? [planned.problem, ...problems] : problems,
    plan: planned.plan,
    ...(url && { csv: text }),
  };
}

/** The job's name is chosen last, so a plan needs none. */
const NAME = "Table";

function planOf(
  settings: JobTableRequest["settings"],
  rows: JobRow[],
  accepted: AcceptedSources,
): { plan: JobTableResponse["plan"]; problem: TableProblem | null } {
  if (rows.length === 0) return { plan: { videos: 0, files: 0 }, problem: null };
  const parsed = parseCreateJob({ ...settings, job_name: NAME, rows }, accepted);
  if (!parsed.ok) {
    const problem = { row: 0, column: "", message: `${parsed.problem.description}.` };
    return { plan: { videos: rows.length, files: 0 }, problem };
  }
  const videos = parsed.input.rows.map(({ link, settings: row }) => ({
    link,
    durationSeconds: null,
    row: row ?? null,
  }));
  return { plan: { videos: videos.length, files: countFiles(parsed.input, videos).files }, problem: null };
}
