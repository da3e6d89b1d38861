/** Calls of the API, for the command line and for assistants. All throw ClipmillError. */
import type {
  CancelJobResponse,
  CreateJobResponse,
  JobOutputsResponse,
  JobResponse,
  JobVideosResponse,
  LibraryFile,
  LibraryResponse,
  ListJobsResponse,
} from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Job, JobOutput, JobVideo, WholeJob } from "#contract/jobs/jobs.ts";
import type { Preset } from "#contract/presets/presets.ts";
import type { AudioSet, CaptionSet } from "#contract/sets.ts";
import type { JobTableResponse } from "#contract/table/job-table.ts";

export type CallOptions = {
  method?: "GET" | "POST" | "DELETE";
  body?: unknown;
  headers?: Record<string, string>;
  /** Sending it twice has the same effect; always true for GET. */
  isRepeatable?: boolean;
  timeoutMs?: number;
};

/** A signed-in caller of a server's API, over the network or in the server itself. */
export type Api = {
  /** The server's address, for links to its screens. */
  server: string;
  call<Result>(path: string, options?: CallOptions): Promise<Result>;
};

/** For checking and inserting 10,000 rows. */
const LONG_MS = 180_000;

export type JobFilter = { page: number; limit: number; search?: string; status?: string };

export async function listJobs(api: Api, { page, limit, ...filter }: JobFilter): Promise<ListJobsResponse> {
  const body = { action: "list", page: String(page), limit: String(limit), ...filter };
  return await api.call("/functions/v1/jobs", { body, isRepeatable: true });
}

/** Returns a light row. Throws ClipmillError "not_found". */
export async function readJob(api: Api, jobId: string): Promise<Job> {
  const body = { action: "list", page: "1", limit: "1", ids: [jobId] };
  const { jobs } = await api.call<ListJobsResponse>("/functions/v1/jobs", { body, isRepeatable: true });
  const job = jobs[0];
  if (!job) throw new ClipmillError("not_found", `There is no job ${jobId} on ${api.server}.`);
  return job;
}

export type TableBody = { csv: string; settings: Record<string, unknown> };

/** Idempotent by its key. */
export async function createJobOfTable(
  api: Api,
  body: TableBody & { idempotency_key: string },
): Promise<CreateJobResponse> {
  return await api.call("/functions/v1/job-table", { body, isRepeatable: true, timeoutMs: LONG_MS });
}

export async function checkTable(api: Api, body: TableBody): Promise<JobTableResponse> {
  const request = { ...body, dry_run: true };
  return await api.call("/functions/v1/job-table", { body: request, isRepeatable: true, timeoutMs: LONG_MS });
}

/** Reading the lengths of a table's videos may take longer than one call; then the forecast lacks them. */
const MOST_FORECAST_MS = 30_000;

/** Also forecasts time and size, once the videos' lengths are known. */
export async function forecastTable(api: Api, body: TableBody): Promise<JobTableResponse> {
  const request = { ...body, dry_run: true, forecast: true };
  const end = Date.now() + MOST_FORECAST_MS;
  for (;;) {
    // The server waits for the checks, a few seconds per call.
    const checked = await api.call<JobTableResponse>("/functions/v1/job-table", {
      ...{ body: request, isRepeatable: true, timeoutMs: LONG_MS },
    });
    if (!checked.forecast?.pending_links || Date.now() > end) return checked;
  }
}

export async function cancelJob(api: Api, jobId: string): Promise<void> {
  const body = { jobId };
  const result = await api.call<CancelJobResponse>("/functions/v1/vps-integration/cancel", { body });
  if (!result.success) throw new ClipmillError("conflict", result.error ?? "The job was not canceled.");
}

export async function retryJob(api: Api, jobId: string): Promise<WholeJob> {
  const body = { action: "retry", jobId };
  return (await api.call<JobResponse>("/functions/v1/jobs", { body })).data;
}

export async function readOutputs(api: Api, jobId: string): Promise<JobOutput[]> {
  const body = { action: "outputs", jobId };
  const options = { body, isRepeatable: true, timeoutMs: LONG_MS };
  return (await api.call<JobOutputsResponse>("/functions/v1/jobs", options)).data;
}

export async function readVideos(api: Api, jobId: string): Promise<JobVideo[]> {
  const body = { action: "videos", jobId };
  const options = { body, isRepeatable: true, timeoutMs: LONG_MS };
  return (await api.call<JobVideosResponse>("/functions/v1/jobs", options)).data;
}

export async function listPresets(api: Api): Promise<Preset[]> {
  return await api.call("/rest/v1/presets?select=*&order=name.asc");
}

/** Finds an id or name. Throws ClipmillError "invalid". */
export function choosePreset(presets: readonly Preset[], wanted: string): Preset {
  const found =
    presets.find(({ id, name }) => id === wanted || name === wanted) ??
    presets.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (found) return found;
  const names = presets.slice(0, 20).map(({ name }) => name);
  const hint = names.length === 0 ? "There are no presets." : `Available presets: ${names.join(", ")}.`;
  throw new ClipmillError("invalid", `There is no preset ${wanted}. ${hint}`);
}

export type NewPreset = { name: string; settings: Record<string, unknown> };

export async function addPreset(api: Api, preset: NewPreset): Promise<Preset> {
  const headers = { Prefer: "return=representation", Accept: "application/vnd.pgrst.object+json" };
  return await api.call("/rest/v1/presets?select=*", { body: preset, headers });
}

export type SavedSet =
  | { kind: "captions"; id: string; name: string; items: string[] }
  | { kind: "audio"; id: string; name: string; items: string[] };

export async function listSets(api: Api): Promise<SavedSet[]> {
  const body = { method: "GET" };
  const [captions, audio] = await Promise.all([
    api.call<{ data: CaptionSet[] }>("/functions/v1/caption-sets", { body, isRepeatable: true }),
    api.call<{ data: AudioSet[] }>("/functions/v1/audio-sets", { body, isRepeatable: true }),
  ]);
  return [...captions.data.map(ofCaptions), ...audio.data.map(ofAudio)];
}

export async function addSet(api: Api, { kind, name, items }: Omit<SavedSet, "id">): Promise<SavedSet> {
  const isOfCaptions = kind === "captions";
  const body = { method: "POST", name, ...(isOfCaptions ? { captions: items } : { audio_links: items }) };
  if (isOfCaptions)
    return ofCaptions((await api.call<{ data: CaptionSet }>("/functions/v1/caption-sets", { body })).data);
  return ofAudio((await api.call<{ data: AudioSet }>("/functions/v1/audio-sets", { body })).data);
}

export async function listLibrary(api: Api): Promise<LibraryFile[]> {
  const body = { method: "GET" };
  return (await api.call<LibraryResponse>("/functions/v1/library", { body, isRepeatable: true })).data;
}

export function pageOf(server: string, jobId: string): string {
  return `${server}/jobs/${jobId}`;
}

/** Throws unless a Clipmill there accepts the token. */
export async function readServerVersion(api: Api): Promise<string> {
  const document = await api.call<{ info?: { title?: string; version?: string } }>("/openapi.json");
  if (document.info?.title?.includes("Clipmill") !== true) {
    throw new ClipmillError("not_found", `There is no Clipmill at ${api.server}. Check the address.`);
  }
  return document.info.version ?? "unknown";
}

function ofCaptions({ id, name, captions }: CaptionSet): SavedSet {
  return { kind: "captions", id, name, items: captions };
}

function ofAudio({ id, name, audio_links: items }: AudioSet): SavedSet {
  return { kind: "audio", id, name, items };
}
