import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { Turns } from "#contract/jobs/outputs/assignment.ts";
import { type HostName, hostOfLink } from "#contract/sources/cooldowns.ts";
import { isFinal } from "#contract/jobs/jobs.ts";
import { settingsOfVideo, turnsOf } from "#contract/jobs/video-settings.ts";
import type { JobVideosTable, Tables } from "#database/tables.ts";
import type { VideoTask } from "#queue/open-queue.ts";
import { postponeAttempt, startAttempt } from "../../attempts/task-rows.ts";
import type { Context } from "../../context.ts";
import { findCooldown, cooldownFailure } from "../../hosts/find-cooldown.ts";
import { CANCELLED_VIDEO, finalizeJob } from "../finalize-job.ts";
import { isProofOpen } from "../proof/wait-for-approval.ts";
import { requireAlone, withJob } from "../lock-job.ts";
import { setJobStatus } from "../set-job-status.ts";
import { SETTING_COLUMNS, withSettings } from "../read/stored-settings.ts";

type StoredJob = Awaited<ReturnType<ReturnType<typeof selectJobOfVideo>["executeTakeFirstOrThrow"]>>;

export type ClaimedVideo = {
  /** With the video's own settings. */
  job: ReturnType<typeof withSettings<StoredJob>>;
  video: Selectable<JobVideosTable>;
  turns: Turns;
};

/**
 * The job becomes Processing with its first video. Returns null if the video has ended, a later attempt owns it, the
 * job was cancelled (the video then ends as Cancelled) or is on hold, or the video now waits for a cooling host.
 */
export function claimVideo(
  context: Pick<Context, "db" | "queue">,
  task: VideoTask,
  attempt: number,
): Promise<ClaimedVideo | null> {
  return withJob(context.db, task.jobId, async (trx, job) => {
    if (!job || isFinal(job.status)) return null;
    if (job.status === "Cancelling") {
      requireAlone(job);
      await trx
        .updateTable("job_videos")
        .set(CANCELLED_VIDEO)
        .where("id", "=", task.videoId)
        .where("status", "in", ["Queued", "Processing"])
        .execute();
      await finalizeJob(context, trx, job);
      return null;
    }
    if (job.held_at !== null) {
      await context.queue.videos.putBack(trx, { ...task, id: task.videoId, attempt }, { isHeld: true });
      return null;
    }
    if (isProofOpen(job) && (await hasSamples(trx, task.videoId))) return null;
    if (await waitsForHost(context, trx, task, attempt)) return null;
    const startedAt = sql<string>`coalesce(started_at, now())`;
    const video = await startAttempt(trx, "videos", { taskId: task.videoId, attempt }, { started_at: startedAt });
    if (!video) return null;
    if (attempt > video.earlier_attempts + 1) await countRetry(trx, job.id);
    // Of concurrent claims, one moves the clock. The next claim corrects the small lag.
    await sql`with clock as (
        select id from queue_clock where virtual_time < ${task.startTag} for no key update skip locked
      ) update queue_clock set virtual_time = ${task.startTag} where id in (select id from clock)`.execute(trx);
    const row = await selectJobOfVideo(trx).where("id", "=", job.id).executeTakeFirstOrThrow();
    // Last, because other first claims wait for it.
    if (job.status === "Queued") {
      await setJobStatus(context, trx, job, "Processing", {
        processing_started_at: sql<string>`now()`,
        current_video: 1,
      });
    }
    return { ...settingsForVideo(withSettings(row), video), video };
  });
}

const COLUMNS = SETTING_COLUMNS.filter((name) => name !== "input_videos");

/** Omits the links of the job's videos: they may take 2 MB, and each video has its own. */
export function selectJobOfVideo(db: Kysely<Tables>) {
  return db.selectFrom("jobs").select(["id", "total_videos", "proof_state", "settings", ...COLUMNS]);
}

/** If a worker is killed between the end of the samples and that of its task, the task is handed out again. */
async function hasSamples(trx: Transaction<Tables>, videoId: string): Promise<boolean> {
  const video = await trx
    .selectFrom("job_videos")
    .select("samples_ended_at")
    .where("id", "=", videoId)
    .executeTakeFirst();
  return Boolean(video?.samples_ended_at);
}

/** `turns`: where the video starts in its texts. */
export function settingsForVideo(
  job: ClaimedVideo["job"],
  { row_settings: row, position }: Pick<ClaimedVideo["video"], "row_settings" | "position">,
): Pick<ClaimedVideo, "job" | "turns"> {
  return { job: settingsOfVideo(job, row), turns: turnsOf(job, row, position) };
}

async function countRetry(trx: Transaction<Tables>, jobId: string): Promise<void> {
  // Locks the row before counting, to see all claims that held it before.
  await trx.selectFrom("jobs").select("id").where("id", "=", jobId).forNoKeyUpdate().execute();
  await trx
    .updateTable("jobs")
    .set({
      retry_count: sql<number>`(select sum(greatest(attempts - earlier_attempts - 1, 0)) from job_videos where job_id = ${jobId})`,
      updated_at: sql<string>`now()`,
    })
    .where("id", "=", jobId)
    .execute();
}

/** Storage counts as a host: no render starts that cannot be stored. */
async function waitsForHost(
  context: Pick<Context, "queue">,
  trx: Transaction<Tables>,
  { videoId, ...task }: VideoTask,
  attempt: number,
): Promise<boolean> {
  const { link } =
    (await trx.selectFrom("job_videos").select("link").where("id", "=", videoId).executeTakeFirst()) ?? {};
  if (link === undefined) return false;
  const hosts: (HostName | null)[] = [hostOfLink(link), "storage"];
  const cooldown = await findCooldown(
    trx,
    hosts.filter((host) => host !== null),
    videoId,
  );
  if (!cooldown) return false;
  const claim = { ...task, taskId: videoId, attempt };
  return postponeAttempt(context, trx, "videos", claim, { failure: cooldownFailure(cooldown), wait: cooldown });
}
