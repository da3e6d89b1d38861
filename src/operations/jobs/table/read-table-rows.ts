import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { countFiles } from "#contract/jobs/outputs/count-files.ts";
import { parseCreateJob } from "#contract/jobs/create-job.ts";
import type { AcceptedSources } from "#contract/sources/accepted-sources.ts";
import type { JobTableRequest, JobTableResponse } from "#contract/table/job-table.ts";
import { mapColumns } from "#contract/table/map-columns.ts";
import { readRows } from "#contract/table/read-rows.ts";
import { readTable } from "#contract/table/read-table.ts";
import type { TableProblem } from "#contract/table/table.ts";

/** Takes up to two seconds; call it with `runPure`. */
export function readTableRows(
  text: string,
  { mapping, settings }: Pick<JobTableRequest, "mapping" | "settings">,
  accepted: AcceptedSources,
): Pick<JobTableResponse, "rows" | "problems" | "plan"> {
  const table = readTable(text);
  const columns = mapColumns(table.columns, new Map(Object.entries(mapping)));
  const { rows, problems } = readRows(table, columns, { accepted, settings });
  const { plan, problem } = planOf(settings, rows, accepted);
  return { rows, problems: problem ? [problem, ...problems] : problems, plan };
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
