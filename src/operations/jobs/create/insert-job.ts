import { setImmediate as nextTurn } from "node:timers/promises";
import { sql, type Transaction } from "kysely";
import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import type { Combination } from "#contract/jobs/assemblies/slots.ts";
import { MAX_RETRIES } from "#contract/jobs/jobs.ts";
import { filesOfVideo, settingsOfVideo } from "#contract/jobs/video-settings.ts";
import type { Tables } from "#database/tables.ts";
import { inParts } from "#ground/give-way.ts";
import { currentSpan, inSpan } from "#ground/tracing/tracing.ts";
import { type ActorContext, writeAudit } from "../../audit/write-audit.ts";
import type { Context } from "../../context.ts";
import { recordLibraryUses } from "../../library/library-uses.ts";
import { chooseSamples } from "../proof/wait-for-approval.ts";
import { toStoredRows } from "../read/select-videos.ts";
import { enqueueVideos } from "../videos/requeue-failed.ts";
import { prepareJob, toJobColumns } from "./prepare-job.ts";

/** Returns the job's id. Throws like prepareJob. */
export function insertJob(
  trx: Transaction<Tables>,
  context: Pick<Context, "queue" | "hosts"> & ActorContext,
  input: JobSettings,
  accountId: string | null,
): Promise<string> {
  return inSpan("create job", () => insertTraced(trx, context, input, accountId));
}

async function insertTraced(
  trx: Transaction<Tables>,
  { queue, hosts, actor }: Pick<Context, "queue" | "hosts"> & ActorContext,
  input: JobSettings,
  accountId: string | null,
): Promise<string> {
  const { snapshot, combinations, fileIds } = await prepareJob(trx, { hosts }, input);
  const job = await trx
    .insertInto("jobs")
    .values({
      ...toJobColumns(snapshot, combinations),
      current_video: null,
      max_retries: MAX_RETRIES,
      proof_state: snapshot.proof_count > 0 ? "making" : null,
      created_by: accountId,
      start_tag: (eb) => eb.selectFrom("queue_clock").select("virtual_time"),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const videos = await insertVideos(trx, job.id, snapshot, combinations);
  currentSpan()?.addFacts({ job_id: job.id, videos: videos.length });
  await recordLibraryUses(trx, job.id, fileIds);
  const fresh = videos.map(({ id }) => ({ id, attempts: 0 }));
  await enqueueVideos({ queue }, trx, job.id, fresh);
  await writeAudit(trx, actor, { action: "job.create", subjects: [job.id] });
  return job.id;
}

/** Keeps short what the server does for one statement without a pause. */
const VIDEOS_PER_STATEMENT = 500;

/** Returns the videos that start now, in order: all, or those with samples. Attempts continue from `attemptsBefore`. */
export async function insertVideos(
  trx: Transaction<Tables>,
  jobId: string,
  settings: JobSettings,
  combinations: readonly Combination[],
  attemptsBefore = 0,
): Promise<{ id: string; position: number }[]> {
  await nextTurn();
  const rows = toStoredRows(settings, combinations);
  const variants = rows.map(({ position }) => {
    return filesOfVideo(settingsOfVideo(settings, settings.rows[position]?.settings ?? null));
  });
  const samples = chooseSamples(settings, variants, jobId);
  const stored = rows.map((video) =>
    Object.assign(video, {
      job_id: jobId,
      proof_variants: samples.get(video.position) ?? null,
      attempts: attemptsBefore,
      earlier_attempts: attemptsBefore,
    }),
  );
  const videos: { id: string; position: number }[] = [];
  for await (const some of inParts(stored, VIDEOS_PER_STATEMENT)) {
    videos.push(...(await trx.insertInto("job_videos").values(some).returning(["id", "position"]).execute()));
  }
  const inOrder = videos.toSorted((a, b) => a.position - b.position);
  return samples.size === 0 ? inOrder : inOrder.filter(({ position }) => samples.has(position));
}

type Named = { variant: number; segment: number; name: string; nameIfTaken: string };

/**
 * Returns names unique within the job, ignoring case. Stored outputs keep theirs. Two videos that choose the same name
 * at the same time violate a unique index.
 */
export async function claimNames(
  trx: Transaction<Tables>,
  { jobId, videoId }: { jobId: string; videoId: string },
  outputs: readonly Named[],
): Promise<string[]> {
  const wanted = outputs.flatMap(({ name, nameIfTaken }) => [keyOfName(name), keyOfName(nameIfTaken)]);
  const known = await trx
    .selectFrom("job_outputs")
    .select(["video_id", "variant", "segment", "name", "name_key"])
    .where("job_id", "=", jobId)
    .where((eb) => eb.or([eb("video_id", "=", videoId), eb("name_key", "=", sql<string>`any(${wanted}::text[])`)]))
    .execute();
  const own = new Map(known.filter((row) => row.video_id === videoId).map((row) => [placeOf(row), row.name]));
  const taken = new Set(known.map((row) => row.name_key));
  return outputs.map((output) => {
    const kept = own.get(placeOf(output));
    if (kept !== undefined) return kept;
    const { name, nameIfTaken } = output;
    const free = [name, nameIfTaken].find((one) => !taken.has(keyOfName(one))) ?? `${videoId}-${placeOf(output)}.mp4`;
    taken.add(keyOfName(free));
    return free;
  });
}

export function keyOfName(name: string): string {
  return name.toLowerCase();
}

function placeOf({ variant, segment }: Pick<Named, "variant" | "segment">): string {
  return `v${variant + 1}-s${segment + 1}`;
}
