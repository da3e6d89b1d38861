import type { Insertable, Transaction } from "kysely";
import { parseCreateJob } from "#contract/jobs/create-job.ts";
import { sizeProblem } from "#contract/jobs/job-rules.ts";
import { type WholeJob, type JobSettings, MAX_RETRIES } from "#contract/jobs/jobs.ts";
import { settingsOfVideo } from "#contract/jobs/video-settings.ts";
import type { JobsTable, Tables } from "#database/tables.ts";
import { cleanFileName } from "#storage/clean-name.ts";
import type { ActorContext } from "../../audit/actor.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { holdLibraryFiles, recordLibraryUses } from "../../library/hold-library-files.ts";
import { requireWatermarkImages } from "../../library/require-watermark-images.ts";
import { readAcceptedSources } from "../../sources/accepted-sources.ts";
import { findRequestedJob, rememberRequest } from "./job-request.ts";
import { readJob } from "../read/read-job.ts";
import { rowBytes, toStoredRows } from "../read/stored-rows.ts";
import { toStored } from "../read/stored-settings.ts";
import { refusal, snapshotSets } from "./snapshot-sets.ts";

/**
 * Creates a job with its videos and tasks, all or nothing; captions and links are copied into it. A repeated request
 * with the same idempotency key returns the first job. Throws ClipmillError "invalid" with SPEC's message (and its
 * title), and "conflict" if another request used the key.
 */
export async function createJob(
  context: Context & ActorContext,
  body: unknown,
  accountId: string | null,
  idempotencyKey: string | null = null,
): Promise<WholeJob> {
  const parsed = parseCreateJob(body, await readAcceptedSources(context));
  if (!parsed.ok) throw refusal(parsed.problem);
  const id = await context.db.transaction().execute(async (trx) => {
    const earlier = idempotencyKey && (await findRequestedJob(trx, idempotencyKey, parsed.input));
    if (earlier) return earlier;
    const snapshot = await snapshotSets(trx, parsed.input);
    const problem = sizeProblem(snapshot);
    if (problem) throw refusal(problem);
    const used = [snapshot, ...settingsOfRows(snapshot)];
    const files = used.flatMap((settings) => [...settings.custom_audio_links, usedImage(settings)]);
    const fileIds = await holdLibraryFiles(trx, [...snapshot.input_videos, ...files]);
    await requireWatermarkImages(trx, used.map(usedImage));
    const { virtual_time: now } = await trx.selectFrom("queue_clock").select("virtual_time").executeTakeFirstOrThrow();
    const job = await trx
      .insertInto("jobs")
      .values({ ...toRow(snapshot, accountId), start_tag: now })
      .returning("id")
      .executeTakeFirstOrThrow();
    const videos = await insertVideos(trx, job.id, snapshot);
    await recordLibraryUses(trx, job.id, fileIds);
    const tasks = videos.map((video) => ({ videoId: video.id, jobId: job.id, startTag: now + video.position }));
    await context.queue.videos.enqueue(trx, tasks);
    await writeAudit(trx, context.actor, { action: "job.create", subjects: [job.id] });
    if (idempotencyKey) await rememberRequest(trx, idempotencyKey, parsed.input, job.id);
    return job.id;
  });
  const job = await readJob(context, id);
  if (!job) throw new Error(`Job ${id} disappeared right after it was created.`);
  return job;
}

/** PostgreSQL accepts at most 65,535 values per statement. */
const VIDEOS_PER_STATEMENT = 5_000;

async function insertVideos(
  trx: Transaction<Tables>,
  jobId: string,
  { input_videos: links, rows }: JobSettings,
): Promise<{ id: string; position: number }[]> {
  const stored = toStoredRows(jobId, links, rows);
  const videos: { id: string; position: number }[] = [];
  for (let start = 0; start < stored.length; start += VIDEOS_PER_STATEMENT) {
    const some = stored.slice(start, start + VIDEOS_PER_STATEMENT);
    videos.push(...(await trx.insertInto("job_videos").values(some).returning(["id", "position"]).execute()));
  }
  return videos;
}

/** Returns the settings of each video that has its own. */
function settingsOfRows(job: JobSettings): JobSettings[] {
  return job.rows.flatMap(({ settings }) => (settings ? [settingsOfVideo(job, settings)] : []));
}

function toRow(input: JobSettings, accountId: string | null): Insertable<JobsTable> {
  const settings: JobSettings = {
    ...input,
    watermark_enabled: input.watermark_enabled && (input.watermark_text ?? input.watermark_image) !== null,
    watermark_image: usedImage(input),
    output_folder: input.output_folder ? cleanFileName(input.output_folder, "outputs") : null,
  };
  return {
    ...toStored(settings),
    current_video: null,
    total_videos: input.input_videos.length,
    row_bytes: rowBytes(input.rows),
    max_retries: MAX_RETRIES,
    created_by: accountId,
  };
}

/** A job without the image must not keep it from being deleted. */
function usedImage(input: JobSettings): string | null {
  return input.watermark_enabled ? input.watermark_image : null;
}
