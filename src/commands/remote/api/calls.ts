/** All calls throw ClipmillError. */
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
import type { ApiClient } from "./api-client.ts";

/** For checking and inserting 10,000 rows. */
const LONG_MS = 180_000;

export type JobFilter = { page: number; limit: number; search?: string; status?: string };

export async function listJobs(api: ApiClient, { page, limit, ...filter }: JobFilter): Promise<ListJobsResponse> {
  const body = { action: "list", page: String(page), limit: String(limit), ...filter };
  return await api.call("/functions/v1/jobs", { body, isRepeatable: true });
}

/** Returns a light row. Throws ClipmillError "not_found". */
export async function readJob(api: ApiClient, jobId: string): Promise<Job> {
  const body = { action: "list", page: "1", limit: "1", ids: [jobId] };
  const { jobs } = await api.call<ListJobsResponse>("/functions/v1/jobs", { body, isRepeatable: true });
  const job = jobs[0];
  if (!job) throw new ClipmillError("not_found", `There is no job ${jobId} on ${api.server}.`);
  return job;
}

export type TableBody = { csv: string; settings: Record<string, unknown> };

/** Idempotent by its key. */
export async function createJobOfTable(
  api: ApiClient,
  body: TableBody & { idempotency_key: string },
): Promise<CreateJobResponse> {
  return await api.call("/functions/v1/job-table", { body, isRepeatable: true, timeoutMs: LONG_MS });
}

export async function checkTable(api: ApiClient, body: TableBody): Promise<JobTableResponse> {
  const request = { ...body, dry_run: true };
  return await api.call("/functions/v1/job-table", { body: request, isRepeatable: true, timeoutMs: LONG_MS });
}

export async function cancelJob(api: ApiClient, jobId: string): Promise<void> {
  const body = { jobId };
  const result = await api.call<CancelJobResponse>("/functions/v1/vps-integration/cancel", { body });
  if (!result.success) throw new ClipmillError("conflict", result.error ?? "The job was not canceled.");
}

export async function retryJob(api: ApiClient, jobId: string): Promise<WholeJob> {
  const body = { action: "retry", jobId };
  return (await api.call<JobResponse>("/functions/v1/jobs", { body })).data;
}

export async function readOutputs(api: ApiClient, jobId: string): Promise<JobOutput[]> {
  const body = { action: "outputs", jobId };
  const options = { body, isRepeatable: true, timeoutMs: LONG_MS };
  return (await api.call<JobOutputsResponse>("/functions/v1/jobs", options)).data;
}

export async function readVideos(api: ApiClient, jobId: string): Promise<JobVideo[]> {
  const body = { action: "videos", jobId };
  const options = { body, isRepeatable: true, timeoutMs: LONG_MS };
  return (await api.call<JobVideosResponse>("/functions/v1/jobs", options)).data;
}

export async function listPresets(api: ApiClient): Promise<Preset[]> {
  return await api.call("/rest/v1/presets?select=*&order=name.asc");
}

export type NewPreset = { name: string; settings: Record<string, unknown> };

export async function addPreset(api: ApiClient, preset: NewPreset): Promise<Preset> {
  const headers = { Prefer: "return=representation", Accept: "application/vnd.pgrst.object+json" };
  return await api.call("/rest/v1/presets?select=*", { body: preset, headers });
}

export type SavedSet =
  | { kind: "captions"; id: string; name: string; items: string[] }
  | { kind: "audio"; id: string; name: string; items: string[] };

export async function listSets(api: ApiClient): Promise<SavedSet[]> {
  const body = { method: "GET" };
  const [captions, audio] = await Promise.all([
    api.call<{ data: CaptionSet[] }>("/functions/v1/caption-sets", { body, isRepeatable: true }),
    api.call<{ data: AudioSet[] }>("/functions/v1/audio-sets", { body, isRepeatable: true }),
  ]);
  return [...captions.data.map(ofCaptions), ...audio.data.map(ofAudio)];
}

export async function addSet(api: ApiClient, { kind, name, items }: Omit<SavedSet, "id">): Promise<SavedSet> {
  const isOfCaptions = kind === "captions";
  const body = { method: "POST", name, ...(isOfCaptions ? { captions: items } : { audio_links: items }) };
  if (isOfCaptions)
    return ofCaptions((await api.call<{ data: CaptionSet }>("/functions/v1/caption-sets", { body })).data);
  return ofAudio((await api.call<{ data: AudioSet }>("/functions/v1/audio-sets", { body })).data);
}

export async function listLibrary(api: ApiClient): Promise<LibraryFile[]> {
  const body = { method: "GET" };
  return (await api.call<LibraryResponse>("/functions/v1/library", { body, isRepeatable: true })).data;
}

/** Throws unless a Clipmill there accepts the token. */
export async function readServerVersion(api: ApiClient): Promise<string> {
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
