/** `jobs create`: repeating the command returns the same job. */
import { randomUUID } from "node:crypto";
import { ClipmillError } from "#contract/errors.ts";
import { isFinal, jobTitle, type WholeJob } from "#contract/jobs/jobs.ts";
import type { Warning } from "#contract/jobs/outputs/warnings.ts";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import type { JobTableResponse } from "#contract/table/job-table.ts";
import type { TableProblem } from "#contract/table/table.ts";
import { sha256Of } from "#ground/checksum.ts";
import { checkTable, choosePreset, createJobOfTable, forecastTable, listPresets, pageOf } from "#client/calls.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { downloadJob } from "../download/download-job.ts";
import type { Session } from "../session.ts";
import type { TypedSettings } from "./read-job-settings.ts";
import type { JobTable } from "./read-job-table.ts";
import { checksumFiles, uploadFiles } from "./upload-files.ts";
import { reportEnd, watchJob } from "./watch-job.ts";

export type CreateOptions = FollowOptions & {
  name: string;
  preset?: string;
  settings: TypedSettings;
  dryRun?: boolean;
  again?: boolean;
  watch?: boolean;
};

export type FollowOptions = {
  download?: string;
  overwrite?: boolean;
};

const MOST_PRINTED_PROBLEMS = 50;
/** Between a job's creation and the response. */
const NEW_JOB_MS = 5_000;

/** Returns the exit code. Throws ClipmillError. */
export async function createJobFrom(session: Session, table: JobTable, options: CreateOptions): Promise<ExitCode> {
  const { name, settings: typed } = options;
  const preset = options.preset === undefined ? null : choosePreset(await listPresets(session.api), options.preset);
  const settings = { ...preset?.settings, ...typed, job_name: name };
  const sums = await checksumFiles(table.problems.length > 0 ? [] : table.files);
  if (!(await check(session, { table, settings, isDryRun: options.dryRun === true }))) return EXIT.usage;
  if (options.dryRun) return EXIT.ok;

  const links = await uploadFiles(session, sums, ({ path: file }, { file: { link }, was }) => {
    session.terminal.event({ event: "upload", path: file, link, was });
  });
  session.whenStopped("Stopped. Run the same command again: if the job was created, it continues with that one.");
  const csv = table.toCsv((file) => links.get(sums.get(file)!)!.link);
  // As typed, not as resolved today: a changed preset must not make a second job.
  const written = table.toCsv((file) => `sha256:${sums.get(file)!}`);
  const key = keyOf([name, preset?.id ?? null, typed, written], options.again === true);
  const { data: job, warnings } = await createJobOfTable(session.api, { csv, settings, idempotency_key: key }).catch(
    (error: unknown) => {
      throw explainReusedKey(error, name);
    },
  );
  report(session, { job, warnings, settings });
  if (!options.watch && options.download === undefined) return EXIT.ok;
  return await followJob(session, job.id, options);
}

/** Waits for the job, then downloads its files if `download` names a folder. Returns the exit code. */
export async function followJob(
  session: Session,
  jobId: string,
  { download: folder, overwrite = false }: FollowOptions,
): Promise<ExitCode> {
  const job = await watchJob(session, jobId);
  if (folder === undefined || job.status === "Cancelled") return reportEnd(session, job);
  const command = `clipmill jobs download ${jobId} ${quoted(folder)}`;
  session.whenStopped(`Stopped. Run the same command again to continue, or \`${command}\`.`);
  // The status already reports a job without files.
  if (job.status !== "Failed") await downloadJob(session, jobId, { folder, overwrites: overwrite });
  return reportEnd(session, job);
}

/** Checks the table on the server before any upload. Prints problems; returns false if there are any. */
async function check(
  { api, terminal }: Session,
  { table, settings, isDryRun }: { table: JobTable; settings: Record<string, unknown>; isDryRun: boolean },
): Promise<boolean> {
  // Only a link's form is checked.
  const csv = table.toCsv((file) => libraryLink(sha256Of(file.path, "base64url").slice(0, 22)));
  const { job_name: _, ...rest } = settings;
  const checked = await (isDryRun ? forecastTable : checkTable)(api, { csv, settings: rest });
  const { problems: found, plan, forecast, captions, warnings } = checked;
  // For a missing file, the server would report that its name is not a link.
  const ofServer = found.filter(
    (one) => !table.problems.some(({ row, column }) => row === one.row && column === one.column),
  );
  const problems = [...table.problems, ...ofServer].toSorted((a, b) => a.row - b.row);
  for (const problem of problems) terminal.event({ event: "problem", ...problem });
  const print = isDryRun ? terminal.data : terminal.note;
  for (const problem of problems.slice(0, MOST_PRINTED_PROBLEMS)) print(describe(problem));
  if (problems.length > MOST_PRINTED_PROBLEMS) {
    print(`… and ${problems.length - MOST_PRINTED_PROBLEMS} more problems.`);
  }
  if (isDryRun) {
    const uploads = table.files.map((file) => file.path);
    terminal.event({ event: "plan", ...plan, forecast, captions, uploads, problems: problems.length, warnings });
    for (const { message } of warnings) terminal.data(`Warning: ${message}`);
    if (uploads.length > 0) terminal.data(`Local files: ${uploads.length}, uploaded unless the library has them.`);
    terminal.data(`Plan: ${plan.videos} videos, ${plan.files} files.`);
    for (const sentence of describeForecast(forecast)) terminal.data(sentence);
  }
  if (problems.length > 0) terminal.note("Nothing was created.");
  return problems.length === 0;
}

const MEGABYTE = 1_000_000;

/** Empty without a forecast. */
function describeForecast(forecast: JobTableResponse["forecast"]): string[] {
  if (!forecast) return [];
  const { output_seconds: output, seconds, size_bytes: bytes } = forecast;
  if (output === null) return ["Forecast: none, because the length of a video is unknown."];
  const parts = [
    `${describeSeconds(output)} of video`,
    ...(bytes === null ? [] : [`about ${Math.ceil(bytes / MEGABYTE)} MB`]),
    ...(seconds === null ? [] : [`done in about ${describeSeconds(seconds)}`]),
  ];
  return [`Forecast: ${parts.join(", ")}.`];
}

function describeSeconds(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}

function describe({ row, column, message }: TableProblem): string {
  const place = [row > 0 && `row ${row}`, column !== "" && `column "${column}"`].filter((part) => part !== false);
  return place.length === 0 ? message : `${place.join(", ")}: ${message}`;
}

/** Omits the server's address, which has several spellings. */
function keyOf(parts: unknown[], isNew: boolean): string {
  return `cli-${sha256Of(isNew ? randomUUID() : JSON.stringify(parts))}`;
}

function explainReusedKey(error: unknown, name: string): unknown {
  // Servers up to 1.0.0 return "conflict".
  if (!(error instanceof ClipmillError) || !["key_reused", "conflict"].includes(error.code)) return error;
  return new ClipmillError(
    "key_reused",
    `A job was created from the same rows before, and its preset or its files have changed since. Find it with \`clipmill jobs list --search ${quoted(name)}\`, or add --again to create another.`,
    { cause: error },
  );
}

function report(
  { api, terminal, whenStopped }: Session,
  { job, warnings, settings }: { job: WholeJob; warnings: readonly Warning[]; settings: Record<string, unknown> },
): void {
  const now = api.serverTime() ?? Date.now();
  const isEarlier = isFinal(job.status) || now - Date.parse(job.created_at) > NEW_JOB_MS;
  const url = pageOf(api.server, job.id);
  terminal.event({
    event: "job",
    id: job.id,
    name: job.job_name,
    status: job.status,
    url,
    is_earlier: isEarlier,
    warnings,
  });
  terminal.data(job.id);
  const title = `"${jobTitle(job)}"`;
  terminal.note(
    isEarlier
      ? `${title} was created ${job.created_at.slice(0, 16).replace("T", " at ")} UTC by the same command: ${url} (--again creates another)`
      : `Created ${title}: ${url}`,
  );
  for (const { message } of warnings) terminal.note(`Warning: ${message}`);
  const ignored = Object.keys(settings).filter((name) => !(name in job));
  if (ignored.length > 0) {
    terminal.note(`Warning: the server is older and ignored ${ignored.join(", ")}. Upgrade Clipmill there.`);
  }
  whenStopped(`Stopped. The job keeps running: \`clipmill jobs watch ${job.id}\` follows it.`);
}

function quoted(text: string): string {
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
