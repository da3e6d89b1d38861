import type { Insertable, Transaction } from "kysely";
import { parseCreateJob } from "#contract/jobs/create-job.ts";
import { ClipmillError } from "#contract/errors.ts";
import { type JobProblem, sizeProblem } from "#contract/jobs/job-rules.ts";
import { type WholeJob, type JobSettings, MAX_RETRIES } from "#contract/jobs/jobs.ts";
import type { JobsTable, Tables } from "#database/tables.ts";
import { cleanFileName } from "#storage/clean-name.ts";
import type { ActorContext } from "../../audit/actor.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { holdLibraryFiles, recordLibraryUses } from "../../library/hold-library-files.ts";
import { requireWatermarkImage } from "../../library/require-watermark-image.ts";
import { readAcceptedSources } from "../../sources/accepted-sources.ts";
import { findRequestedJob, rememberRequest } from "./job-request.ts";
import { readJob } from "../read/read-job.ts";
import { chooseSamples } from "../proof/choose-samples.ts";
import { toStored } from "../read/stored-settings.ts";

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
    const links = [...snapshot.input_videos, ...snapshot.custom_audio_links, usedImage(snapshot)];
    const fileIds = await holdLibraryFiles(trx, links);
    await requireWatermarkImage(trx, snapshot);
    const { virtual_time: now } = await trx.selectFrom("queue_clock").select("virtual_time").executeTakeFirstOrThrow();
    const job = await trx
      .insertInto("jobs")
      .values({ ...toRow(snapshot, accountId), start_tag: now })
      .returning("id")
      .executeTakeFirstOrThrow();
    const samples = samplesOf(snapshot, job.id);
    const videos = await trx
      .insertInto("job_videos")
      .values(
        snapshot.input_videos.map((link, position) => ({
          job_id: job.id,
          position,
          link,
          proof_variants: samples.get(position) ?? null,
        })),
      )
      .returning(["id", "position"])
      .execute();
    await recordLibraryUses(trx, job.id, fileIds);
    const started = samples.size > 0 ? videos.filter(({ position }) => samples.has(position)) : videos;
    const tasks = started.map((video, place) => ({ videoId: video.id, jobId: job.id, startTag: now + place }));
    await context.queue.videos.enqueue(trx, tasks);
    await writeAudit(trx, context.actor, { action: "job.create", subjects: [job.id] });
    if (idempotencyKey) await rememberRequest(trx, idempotencyKey, parsed.input, job.id);
    return job.id;
  });
  const job = await readJob(context, id);
  if (!job) throw new Error(`Job ${id} disappeared right after it was created.`);
  return job;
}

/**
 * Copies sets into the job, so that deleting one later has no effect. Typed captions and links take precedence. An
 * older version's set may be too large for a job.
 */
async function snapshotSets(trx: Transaction<Tables>, input: JobSettings): Promise<JobSettings> {
  const captions =
    input.captions_enabled && input.custom_captions.length === 0
      ? await readCaptions(trx, input)
      : input.custom_captions;
  const tracks =
    input.audio_enabled && input.custom_audio_links.length === 0
      ? await readTracks(trx, input)
      : input.custom_audio_links;
  const snapshot = { ...input, custom_captions: captions, custom_audio_links: tracks };
  const problem = sizeProblem(snapshot);
  if (problem) throw refusal(problem);
  return snapshot;
}

function samplesOf(input: JobSettings, jobId: string): ReturnType<typeof chooseSamples> {
  const variants = input.input_videos.map(() => input.variants_per_video);
  return chooseSamples(input, variants, jobId);
}

function refusal({ title, description }: JobProblem): ClipmillError {
  return new ClipmillError("invalid", description, { title });
}

async function readCaptions(trx: Transaction<Tables>, input: JobSettings): Promise<string[]> {
  const set = await trx
    .selectFrom("caption_sets")
    .select("captions")
    .where("id", "=", input.caption_set_id)
    .executeTakeFirst();
  if (!set) {
    throw refusal({
      title: "Caption Set Not Found",
      description: "The selected caption set no longer exists. Please refresh and select another.",
    });
  }
  return set.captions;
}

async function readTracks(trx: Transaction<Tables>, input: JobSettings): Promise<string[]> {
  const set = await trx
    .selectFrom("audio_sets")
    .select("audio_links")
    .where("id", "=", input.audio_set_id)
    .executeTakeFirst();
  if (!set) {
    throw refusal({
      title: "Audio Set Not Found",
      description: "The selected audio set no longer exists. Please refresh and select another.",
    });
  }
  return set.audio_links;
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
    max_retries: MAX_RETRIES,
    proof_state: input.proof_count > 0 ? "making" : null,
    created_by: accountId,
  };
}

/** A job without the image must not keep it from being deleted. */
function usedImage(input: JobSettings): string | null {
  return input.watermark_enabled ? input.watermark_image : null;
}
