/** Manifests are final once the job has ended, except for routes and, outside of zips, clicks. */
import { crc32 } from "node:zlib";
import { ClipmillError } from "#contract/errors.ts";
import { isFinal, type JobStatus } from "#contract/jobs/jobs.ts";
import { SETTING_NAMES } from "#contract/job-settings/setting-values.ts";
import type { Manifest } from "#contract/manifest/manifest.ts";
import type { Context } from "../../context.ts";
import { type StoredRow, toRows } from "../../jobs/read/select-videos.ts";
import { OUTPUT_CLICKS } from "../../jobs/links/make-links.ts";
import { WHOLE_JOBS } from "../../jobs/read/select-jobs.ts";
import { selectColumns } from "../../select-columns.ts";
import type { Download } from "../link-signer.ts";
import { type JobFile, selectJobFiles, uniqueNames } from "../job-files.ts";
import { buildManifest, type ManifestJob, manifestCsv } from "./build-manifest.ts";

export type ManifestFormat = "csv" | "json";

export type MadeFile = { name: string; bytes: Buffer; crc32: number };

/** Throws ClipmillError "not_found", or "conflict" before the job has ended. */
export async function readManifest(context: Pick<Context, "db">, jobId: string): Promise<Manifest> {
  const job = await readManifestJob(context, jobId);
  if (!job) throw new ClipmillError("not_found", "The job does not exist.");
  if (!isFinal(job.status)) {
    throw new ClipmillError("conflict", "The job is still running. Its manifest is complete when it ends.");
  }
  return buildManifest(job, await readFiles(context, jobId));
}

/** Throws ClipmillError "not_found" unless the job is completed. */
export async function openManifest(
  context: Pick<Context, "db">,
  jobId: string,
  format: ManifestFormat,
): Promise<Download> {
  const job = await readManifestJob(context, jobId);
  if (job?.status !== "Completed" || !job.download_enabled) {
    throw new ClipmillError("not_found", "There is no manifest for this job.");
  }
  const { bytes, crc32: checksum } = makeManifests(job, await readFiles(context, jobId))[format];
  return {
    fileName: `${job.id}-manifest.${format}`,
    type: format === "csv" ? "text/csv; charset=utf-8" : "application/json",
    sizeBytes: bytes.length,
    etag: `"${checksum.toString(16)}-${bytes.length.toString(16)}"`,
    storageKey: null,
    async *read({ start, end }) {
      yield bytes.subarray(start, end + 1);
    },
  };
}

export function makeManifests(job: ManifestJob, files: readonly JobFile[]): Record<ManifestFormat, MadeFile> {
  const manifest = buildManifest(job, files);
  const lines = manifest.outputs.map((line, i) => ({ line, pass: files[i]!.row_pass }));
  return {
    csv: toFile("manifest.csv", manifestCsv(lines)),
    json: toFile("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`),
  };
}

function toFile(name: string, text: string): MadeFile {
  const bytes = Buffer.from(text);
  return { name, bytes, crc32: crc32(bytes) };
}

type EndedJob = ManifestJob & { status: JobStatus; files_deleted_at: string | null };

export async function readManifestJob({ db }: Pick<Context, "db">, jobId: string): Promise<EndedJob | null> {
  const columns = ["id", "status", "files_deleted_at", "created_at", "updated_at", ...SETTING_NAMES];
  const query = selectColumns<Omit<EndedJob, "rows"> & { rows: StoredRow[] }>(db, "jobs", columns, WHOLE_JOBS);
  const job = await query.where("jobs.id", "=", jobId).executeTakeFirst();
  return job ? { ...job, rows: toRows(job.rows) } : null;
}

async function readFiles({ db }: Pick<Context, "db">, jobId: string): Promise<JobFile[]> {
  const files = await selectJobFiles(db, jobId).select(OUTPUT_CLICKS.as("clicks")).execute();
  return withUniqueNames(files);
}

export function withUniqueNames(files: readonly JobFile[]): JobFile[] {
  const names = uniqueNames(files.map(({ name }) => name));
  return files.map((file, i) => ({ ...file, name: names[i]! }));
}
