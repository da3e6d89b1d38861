import { ClipmillError } from "#contract/errors.ts";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { parseCreateJob } from "#contract/jobs/create-job.ts";
import { countFiles } from "#contract/jobs/outputs/count-files.ts";
import type { AcceptedSources } from "#contract/sources/accepted-sources.ts";
import { isPage } from "#contract/sources/direct-download.ts";
import { parseVideoLink } from "#contract/sources/links.ts";
import type { SourceResponse, SourceRequest } from "#contract/sources/source-host.ts";
import { decodeTable } from "#contract/table/decode-table.ts";
import type { TableEncoding } from "#contract/table/encoding/table-encodings.ts";
import type { JobTableRequest, JobTableResponse } from "#contract/table/job-table.ts";
import { readRows } from "#contract/table/read-rows.ts";
import { mapColumns, readTable } from "#contract/table/read-table.ts";
import { isGoogleSheet, sheetAddress } from "#contract/table/sheet-address.ts";
import type { TableProblem } from "#contract/table/table.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import type { Context } from "../../context.ts";
import { readAcceptedSources } from "../../sources/prepare-sources.ts";

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

const MAX_BYTES = 8 * 1024 ** 2;
const MAX_SECONDS = 30;
const SIGN_IN = "accounts.google.com";
/** Servers send CSV under many types, but never under these. */
const NOT_TEXT = /^(?:image|video|audio|font)\/|\b(?:pdf|zip|officedocument|json|ms-excel)\b/i;

/**
 * Reads a published Google sheet, or any website's if web addresses are turned on. Throws ClipmillError: bad_link,
 * not_shared, source_not_found, unknown_encoding, too_large, rate_limited, network, cancelled.
 */
export async function fetchTable(
  context: Pick<Context, "db" | "hosts">,
  sheet: { url: string; encoding: TableEncoding | null },
  signal: AbortSignal,
): Promise<string> {
  const url = sheetAddress(await requireAddress(context, sheet.url));
  const get = createSourceGet({ signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_SECONDS * 1_000)]) });
  const response = await get(url, requestOf(url, context.hosts.privateSources));
  const error = errorOf(url, response);
  if (error) {
    response.body.destroy();
    throw error;
  }
  const decoded = decodeTable(await readBytes(response), sheet.encoding);
  if ("text" in decoded) return decoded.text;
  if (!decoded.isUnknown) throw new ClipmillError("bad_link", decoded.problem);
  const remedy = sheet.encoding ? "" : " Send its encoding, for example windows-1251.";
  throw new ClipmillError("unknown_encoding", `${decoded.problem}${remedy}`);
}

async function requireAddress(context: Pick<Context, "db" | "hosts">, text: string): Promise<URL> {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ClipmillError("bad_link", "The address of the sheet must start with https://.");
  }
  if (isGoogleSheet(url)) return url;
  if (parseVideoLink(text, await readAcceptedSources(context))?.host === "web") return url;
  throw url.protocol === "http:"
    ? new ClipmillError("bad_link", "The address of the sheet must start with https://.")
    : new ClipmillError("bad_link", 'Turn on "Web addresses" in Settings to read sheets from sites other than Google.');
}

function requestOf(url: URL, privateSources: readonly string[]): SourceRequest {
  const headers = { "accept-encoding": "identity" };
  if (isGoogleSheet(url)) {
    // exports redirect to doc-….sheets.googleusercontent.com
    const allowedHosts = ["docs.google.com", "*.googleusercontent.com"];
    return { service: "Google Sheets", baseUrl: null, allowedHosts, stopAtHost: SIGN_IN, headers };
  }
  const authority = `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
  const baseUrl = privateSources.includes(authority) ? url.origin : null;
  return { service: url.hostname, baseUrl, allowedHosts: "all", headers };
}

function errorOf({ hostname }: URL, response: SourceResponse): ClipmillError | null {
  const { status, retryAfterSeconds, redirectTarget, headers, contentLength } = response;
  const details = { facts: { status }, retryAfterSeconds };
  if (redirectTarget?.hostname === SIGN_IN || status === 401 || status === 403) {
    const sentence = "The sheet is not shared. Share it with everyone who has the link, or publish it to the web.";
    return new ClipmillError("not_shared", sentence, details);
  }
  if (status === 404 || status === 410) {
    return new ClipmillError("source_not_found", `${hostname} has no sheet at this address. Check it.`, details);
  }
  if (status === 429) {
    return new ClipmillError("rate_limited", `${hostname} is limiting requests. Retry in a few minutes.`, details);
  }
  if (status >= 500) {
    return new ClipmillError("network", `${hostname} is having problems right now. Retry later.`, details);
  }
  if (status !== 200 || /^(?!identity$)./i.test(headers["content-encoding"] ?? "")) {
    return new ClipmillError("bad_link", `${hostname} did not send this sheet. Check its address.`, details);
  }
  if (isPage(response) || NOT_TEXT.test(headers["content-type"] ?? "")) {
    const sentence = "This address leads to a page or another file, not to a sheet as CSV. Publish the sheet as CSV.";
    return new ClipmillError("bad_link", sentence, details);
  }
  return contentLength !== null && contentLength > MAX_BYTES ? tooLarge() : null;
}

async function readBytes({ body }: SourceResponse): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BYTES) throw tooLarge();
  }
  return Buffer.concat(chunks);
}

function tooLarge(): ClipmillError {
  return new ClipmillError("too_large", "The sheet is larger than 8 MB. Split it.");
}
