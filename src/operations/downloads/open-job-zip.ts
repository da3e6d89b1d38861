import { crc32 as crc32Of } from "node:zlib";
import { sql } from "kysely";
import { cleanFileName } from "#contract/clean-name.ts";
import { ClipmillError } from "#contract/errors.ts";
import { settingsOfVideo, subtitleLanguageOf } from "#contract/jobs/video-settings.ts";
import type { ByteRange, Storage } from "#storage/storage.ts";
import type { Context } from "../context.ts";
import type { Download } from "./link-signer.ts";
import { coverKeyOf } from "../jobs/job-folders.ts";
import { SUBTITLE_FORMATS, subtitleFile, type SubtitleFormat, subtitleName } from "../jobs/videos/output-subtitles.ts";
import { coverName, type JobFile, selectJobFiles } from "./job-files.ts";
import type { ManifestJob } from "./manifest/build-manifest.ts";
import { type MadeFile, makeManifests, readManifestJob, withUniqueNames } from "./manifest/open-manifest.ts";
import { layOutZip, type ZipEntry, type ZipLayout } from "./zip-layout.ts";

/** A plan of 10,000 files takes about 30 MB. */
const MAX_PLANS = 3;
const KEPT_MS = 10 * 60_000;

type Remembered<Plan> = { state: string; plan: Promise<Plan | null>; forgetting: NodeJS.Timeout };

/** Keeps each plan for ten minutes after its last use. */
function rememberPlans<Plan>(): {
  /** Reuses the plan of the same state. Concurrent calls share one. */
  get(key: string, state: string, make: () => Promise<Plan | null>): Promise<Plan | null>;
} {
  const plans = new Map<string, Remembered<Plan>>();

  function forget(key: string): void {
    clearTimeout(plans.get(key)?.forgetting);
    plans.delete(key);
  }
  return {
    async get(key, state, make) {
      const known = plans.get(key);
      const plan = known?.state === state ? known.plan : make();
      forget(key);
      const remembered = { state, plan, forgetting: setTimeout(() => forget(key), KEPT_MS).unref() };
      plans.set(key, remembered);
      for (const oldest of plans.keys()) {
        if (plans.size <= MAX_PLANS) break;
        forget(oldest);
      }
      try {
        return await plan;
      } catch (error) {
        if (plans.get(key) === remembered) forget(key);
        throw error;
      }
    },
  };
}

type Entry = ZipEntry & ({ storageKey: string } | { bytes: Uint8Array });

type ZipContents = "all" | "approved";

/** Everything but the content of the outputs. */
type ZipPlan = { layout: ZipLayout; entries: Entry[]; etag: string };

/** Clients request many ranges of a zip: its manifests are made once. */
const plans = rememberPlans<ZipPlan>();

/** Zips a completed job's outputs and manifests. Throws ClipmillError "not_found". */
export async function openJobZip(
  context: Pick<Context, "db" | "storage">,
  jobId: string,
  contents: ZipContents = "all",
): Promise<Download> {
  const state = await readZipState(context, jobId);
  const make = () => planZip(context, jobId, contents);
  const plan = state === null ? null : await plans.get(`${contents} ${jobId}`, state, make);
  if (!plan) throw new ClipmillError("not_found", "There is no zip for this job.");
  const { layout, entries, etag } = plan;
  return {
    fileName: `${jobId}-${contents === "all" ? "outputs" : contents}.zip`,
    type: "application/zip",
    sizeBytes: layout.sizeBytes,
    etag,
    storageKey: null,
    read: (range) => readZip(context.storage, layout, entries, range),
  };
}

/** Returns a text that changes whenever the zip does; null without a zip. */
async function readZipState({ db }: Pick<Context, "db">, jobId: string): Promise<string | null> {
  const { rows } = await sql<{ state: string }>`
    select concat_ws(' ', jobs.updated_at, files.count, files.newest, (select changes from cloak_changes)) as state
    from jobs, lateral (
      select count(*), max(updated_at) as newest from job_outputs where job_id = jobs.id and status = 'Completed'
    ) as files
    where id = ${jobId}::uuid and status = 'Completed' and download_enabled and files_deleted_at is null`.execute(db);
  return rows[0]?.state ?? null;
}

async function planZip(context: Pick<Context, "db">, jobId: string, contents: ZipContents): Promise<ZipPlan | null> {
  const job = await readManifestJob(context, jobId);
  const files = await readFiles(context, jobId, contents);
  if (!job || files.length === 0) return null;
  const { csv, json } = makeManifests(job, files);
  // Jobs with the same name must not mix when extracted side by side.
  const folder = `${cleanFileName(job.job_name, "Job")}-${job.id.slice(0, 8)}`;
  const entries = [toEntry(csv), toEntry(json), ...files.flatMap((file) => toStoredEntries(job, file))];
  const modifiedAt = new Date(job.updated_at);
  const layout = layOutZip(
    entries.map((entry) => ({ ...entry, name: `${folder}/${entry.name}` })),
    modifiedAt,
  );
  // Verdicts change no time, and a newer version of Clipmill may write other manifests.
  const version = [modifiedAt.getTime(), layout.sizeBytes, csv.crc32, json.crc32].join("-");
  return { layout, entries, etag: `"${job.id}-${version}"` };
}

async function readFiles({ db }: Pick<Context, "db">, jobId: string, contents: ZipContents): Promise<JobFile[]> {
  const files = await selectJobFiles(db, jobId)
    .$if(contents === "approved", (query) => query.where("job_outputs.verdict", "=", "approved"))
    .execute();
  return withUniqueNames(files);
}

function toEntry({ name, bytes, crc32 }: MadeFile): Entry {
  return { name, sizeBytes: bytes.length, crc32, bytes };
}

function toStoredEntries(job: ManifestJob, file: JobFile): Entry[] {
  const { name, size_bytes: sizeBytes, crc32, storage_key: storageKey, cover, srt } = file;
  if (sizeBytes === null || crc32 === null || storageKey === null) {
    throw new Error(`A completed output of job ${job.id} lacks its size, checksum or file.`);
  }
  const language = subtitleLanguageOf(settingsOfVideo(job, file.row_settings), file.variant);
  return [
    { name, sizeBytes, crc32, storageKey },
    ...(cover ? [{ ...cover, name: coverName(name), storageKey: coverKeyOf(storageKey) }] : []),
    ...(srt === null
      ? []
      : SUBTITLE_FORMATS.map((format) => toSubtitles(subtitleName(name, format, language), srt, format))),
  ];
}

function toSubtitles(name: string, srt: string, format: SubtitleFormat): Entry {
  const bytes = subtitleFile(srt, format);
  return toEntry({ name, bytes, crc32: crc32Of(bytes) });
}

/** Reads only the range: resuming near the end skips earlier files. */
async function* readZip(
  storage: Storage,
  layout: ZipLayout,
  entries: Entry[],
  range: ByteRange,
): AsyncGenerator<Uint8Array> {
  for (const part of layout.parts) {
    const start = Math.max(range.start - part.start, 0);
    const end = Math.min(range.end - part.start, part.length - 1);
    if (start > end) continue;
    const source = "bytes" in part ? part : entries[part.entry]!;
    if ("bytes" in source) yield source.bytes.subarray(start, end + 1);
    else yield* await storage.read(source.storageKey, { start, end });
  }
}
