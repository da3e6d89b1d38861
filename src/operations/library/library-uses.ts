import { sql, type Transaction } from "kysely";
import type { HeldFile } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { parseLink } from "#contract/sources/links.ts";
import type { Tables } from "#database/tables.ts";

/** The job still reads its files. */
export const UNFINISHED_JOB = sql<boolean>`jobs.status in ('Queued', 'Processing', 'Cancelling')`;

const JOBS_LISTED = 20;

type SavedUse = { file_id: string } & HeldFile["savedIn"][number];

/** A row per link; old versions of presets do not count. */
export const SAVED_USES = sql<SavedUse>`(
  select distinct link[1] as file_id, kind, name from (
    select 'preset' as kind, name,
      concat_ws(' ', settings ->> 'watermark_image', settings ->> 'intro_link', settings ->> 'outro_link',
        settings ->> 'custom_audio_links', settings ->> 'layers') as links from presets
    union all select 'brand kit', name,
      concat_ws(' ', settings ->> 'watermark_image', settings ->> 'intro_link', settings ->> 'outro_link',
        settings ->> 'layers') from brand_kits
    union all select 'audio set', name, array_to_string(audio_links, ' ') from audio_sets
  ) as saved, regexp_matches(links, 'clipmill\\.local/file/d/([A-Za-z0-9_-]+)', 'gi') as link
)`;

type LibraryFileName = { id: string; name: string };

/** Returns the files that something needs. Lock them first. */
export async function findHeldFiles(trx: Transaction<Tables>, files: readonly LibraryFileName[]): Promise<HeldFile[]> {
  if (files.length === 0) return [];
  const jobs = await trx
    .selectFrom("library_uses")
    .innerJoin("jobs", "jobs.id", "job_id")
    .select(["file_id", "jobs.id", "job_name"])
    .where(
      "file_id",
      "in",
      files.map(({ id }) => id),
    )
    .where(UNFINISHED_JOB)
    .orderBy("jobs.created_at")
    .orderBy("jobs.id")
    .execute();
  const tasks = await trx
    .selectFrom("caption_tasks")
    .select("link")
    .where("status", "in", ["Queued", "Processing"])
    .execute();
  const { rows: saved } = await sql<SavedUse>`select * from ${SAVED_USES} as saved
    where file_id = any(${files.map(({ id }) => id)}::text[]) order by kind, name`.execute(trx);
  const jobsByFile = Map.groupBy(jobs, (job) => job.file_id);
  return files.flatMap(({ id, name }): HeldFile[] => {
    const own = jobsByFile.get(id) ?? [];
    // Ids are long and random: no other link contains one by chance, in any spelling.
    const isInCaptionLab = tasks.some(({ link }) => link.includes(id));
    const savedIn = saved.filter((use) => use.file_id === id).map((use) => ({ kind: use.kind, name: use.name }));
    if (own.length === 0 && savedIn.length === 0 && !isInCaptionLab) return [];
    const listed = own.slice(0, JOBS_LISTED).map((job) => ({ id: job.id, job_name: job.job_name }));
    return [{ id, name, jobs: listed, jobCount: own.length, savedIn, isInCaptionLab }];
  });
}

/**
 * Locks linked library files, so that a concurrent delete sees the job. Returns their ids; omits deleted files, whose
 * videos fail later.
 */
export async function holdLibraryFiles(trx: Transaction<Tables>, links: readonly (string | null)[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const text of new Set(links)) {
    const link = text === null ? null : parseLink(text);
    if (link?.host === "library") ids.add(link.id);
  }
  if (ids.size === 0) return [];
  const files = await trx
    .selectFrom("library_files")
    .select("id")
    .where("id", "in", [...ids])
    // A fixed order prevents deadlocks.
    .orderBy("id")
    .forShare()
    .execute();
  return files.map(({ id }) => id);
}

export async function recordLibraryUses(
  trx: Transaction<Tables>,
  jobId: string,
  fileIds: readonly string[],
): Promise<void> {
  if (fileIds.length === 0) return;
  await trx
    .insertInto("library_uses")
    .values(fileIds.map((file_id) => ({ file_id, job_id: jobId })))
    .execute();
}

const IMAGE_NAMES = { watermark: "Watermark Image", layer: "Layer Image" };

/** Without its images, a job's videos would fail. Throws ClipmillError "invalid". */
export async function requireImages(
  trx: Transaction<Tables>,
  links: Iterable<string | null>,
  use: keyof typeof IMAGE_NAMES,
): Promise<void> {
  const ids = new Set([...links].flatMap((link) => (link === null ? [] : [parseLink(link)?.id ?? ""])));
  if (ids.size === 0) return;
  const files = await trx
    .selectFrom("library_files")
    .select(["id", "kind"])
    .where("id", "in", [...ids])
    .where("stored_at", "is not", null)
    .execute();
  const kinds = new Map(files.map(({ id, kind }) => [id, kind]));
  const wrong = [...ids].find((id) => kinds.get(id) !== "image");
  if (wrong === undefined) return;
  const name = IMAGE_NAMES[use];
  const described = `The ${name.toLowerCase()}`;
  throw kinds.has(wrong)
    ? new ClipmillError("invalid", `${described} must be an image from the library`, { title: `Invalid ${name}` })
    : new ClipmillError("invalid", `${described} is no longer in the library. Choose another one or remove it`, {
        title: `${name} Not Found`,
      });
}
