import { type RawBuilder, sql } from "kysely";
import type { ClaimingResponse, FleetWorker, SystemResponse, WorkerTask } from "#contract/settings/system.ts";
import packageJson from "../../../package.json" with { type: "json" };
import type { Context } from "../context.ts";
import { listCooldowns } from "../hosts/find-cooldown.ts";
import { readQueuePause } from "./queue-pause.ts";

// By the database's clock: machines' clocks differ.

/** Workers send a heartbeat every few seconds. */
export const isLost = sql<boolean>`workers.beat_at < now() - interval '15 seconds'`;

/** According to its last heartbeat. */
export const isClaiming = sql<boolean>`(not ${isLost} and workers.pause_reasons = '{}')`;

/** Whether a worker gets tasks with these labels. Without the database, it gets none without labels. */
export function getsTasksWith(labels: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${labels} <@ to_jsonb(workers.labels) and (workers.token_id is null or ${labels} <> '[]'))`;
}

/** No longer listed. */
export const isOld = sql<boolean>`workers.beat_at < now() - interval '1 day'`;

/** The videos' current state: a lost worker's may belong to others by now. */
const tasks = sql<WorkerTask[]>`(
  select coalesce(json_agg(json_build_object(
    'jobId', job.id, 'jobName', job.job_name, 'videoId', video.id, 'position', video.position,
    'videoName', video.name, 'stage', video.stage, 'progress', video.progress
  ) order by video.started_at), '[]')
  from job_videos video join jobs job on job.id = video.job_id
  where video.id = any(workers.doing) and video.status = 'Processing' and not ${isLost}
)`;

/** Live workers by name, then those lost within a day. */
export async function listWorkers(context: Pick<Context, "db">): Promise<FleetWorker[]> {
  return await context.db
    .selectFrom("workers")
    .select(["id", "name", "version", "media", "pid", "concurrency", "speed", "disk", "labels"])
    .select(["wanted_concurrency as wantedConcurrency", "started_at as startedAt", "pause_reasons as pauseReasons"])
    .select(["is_paused as isPaused", "is_draining as isDraining", "can_drain as canDrain", isLost.as("isLost")])
    .select(sql<number>`extract(epoch from now() - beat_at)::float8`.as("secondsSinceBeat"))
    .select(sql<string | null>`(select name from api_tokens where id = workers.token_id)`.as("token"))
    .select(tasks.as("tasks"))
    .select(sql<number>`case when ${isLost} then 0 else caption_videos end`.as("captionVideos"))
    .where((where) => where.not(isOld))
    .orderBy(isLost)
    .orderBy("name")
    .orderBy("started_at", "desc")
    .execute();
}

export async function readClaiming(context: Pick<Context, "db">): Promise<ClaimingResponse> {
  const counts = await context.db
    .selectFrom("workers")
    .select([
      sql<number>`count(*)::int`.as("workers"),
      sql<number>`(count(*) filter (where pause_reasons = '{}'))::int`.as("takingWorkers"),
    ])
    .where((where) => where.not(isLost))
    .executeTakeFirstOrThrow();
  return { ...(await readQueuePause(context)), ...counts };
}

/** Lists only workers with the database. */
export async function listClaimingWorkers(context: Pick<Context, "db">): Promise<string[]> {
  const rows = await context.db
    .selectFrom("workers")
    .select("id")
    .where(isClaiming)
    .where("token_id", "is", null)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

export async function countClaimingWorkers({ db }: Pick<Context, "db">): Promise<number> {
  const { count } = await db
    .selectFrom("workers")
    .select(sql<number>`count(*)::int`.as("count"))
    .where(isClaiming)
    .executeTakeFirstOrThrow();
  return count;
}

export async function readSystem(
  context: Pick<Context, "db" | "queue">,
  kinds: Pick<SystemResponse, "database" | "storage">,
): Promise<SystemResponse> {
  const [workers, pause, queues, hosts] = await Promise.all([
    listWorkers(context),
    readQueuePause(context),
    context.queue.measure(),
    listCooldowns(context),
  ]);
  const { waiting, held, postponed, active, oldestWaitingSeconds } = queues.find(({ name }) => name === "videos")!;
  const queue = { ...pause, waiting, held, postponed, active, oldestWaitingSeconds };
  return { workers, queue, hosts, version: VERSION, ...kinds };
}

export const VERSION: string = packageJson.version;
