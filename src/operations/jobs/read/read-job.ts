import { sql } from "kysely";
import type { SourceLinkResponse } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Job, JobEvent, JobOutput, JobVideo, WholeJob } from "#contract/jobs/jobs.ts";
import type { Context } from "../../context.ts";
import { OUTPUT_ROUTE } from "../links/make-links.ts";
import { HAS_SUBTITLES } from "../videos/output-subtitles.ts";
import { selectJobs, selectLightJobs, toJob, toWholeJob } from "./select-jobs.ts";
import { selectVideos } from "./select-videos.ts";
import { toOutput } from "./to-output.ts";

type Reader = Pick<Context, "db" | "links">;

export async function readJob(context: Reader, id: string): Promise<WholeJob | null> {
  const row = await selectJobs(context.db).where("jobs.id", "=", id).executeTakeFirst();
  return row ? toWholeJob(row, context.links) : null;
}

/** Omits long lists. */
export async function readLightJob(context: Reader, id: string): Promise<Job | null> {
  const row = await selectLightJobs(context.db).where("jobs.id", "=", id).executeTakeFirst();
  return row ? toJob(row, context.links) : null;
}

/** In no order. Omits missing videos. */
export function readJobVideosById(context: Reader, ids: readonly string[]): Promise<JobVideo[]> {
  return selectVideos(context.db).where("id", "=", anyOf(ids)).execute();
}

/** In no order. Omits missing outputs. */
export async function readJobOutputsById(context: Reader, ids: readonly string[]): Promise<JobOutput[]> {
  const rows = await context.db
    .selectFrom("job_outputs")
    .selectAll()
    .select([OUTPUT_ROUTE.as("route"), HAS_SUBTITLES.as("has_subtitles")])
    .where("id", "=", anyOf(ids))
    .execute();
  return rows.map((row) => toOutput(row, context.links));
}

/** Keeps short what the server does for one statement without a pause. */
const VIDEOS_PER_READ = 2_000;

export async function readJobVideos(context: Reader, jobId: string): Promise<JobVideo[]> {
  const videos: JobVideo[] = [];
  for (let part = VIDEOS_PER_READ; part === VIDEOS_PER_READ;) {
    const read = await selectVideos(context.db)
      .where("job_id", "=", jobId)
      .where("position", ">", videos.at(-1)?.position ?? -1)
      .orderBy("position")
      .limit(VIDEOS_PER_READ)
      .execute();
    for (const video of read) videos.push(video);
    part = read.length;
  }
  return videos;
}

export async function readJobOutputs(context: Reader, jobId: string): Promise<JobOutput[]> {
  const rows = await context.db
    .selectFrom("job_outputs")
    .innerJoin("job_videos", "job_videos.id", "job_outputs.video_id")
    .selectAll("job_outputs")
    .select([OUTPUT_ROUTE.as("route"), HAS_SUBTITLES.as("has_subtitles")])
    .where("job_outputs.job_id", "=", jobId)
    .orderBy("job_videos.position")
    .orderBy("job_outputs.variant")
    .orderBy("job_outputs.segment")
    .execute();
  return rows.map((row) => toOutput(row, context.links));
}

export function readJobEvents(context: Reader, jobId: string): Promise<JobEvent[]> {
  return context.db.selectFrom("job_events").selectAll().where("job_id", "=", jobId).orderBy("id").execute();
}

/** Oldest first. `total` counts all events. */
export async function readNewestJobEvents(
  context: Reader,
  jobId: string,
  limit: number,
): Promise<{ data: JobEvent[]; total: number }> {
  const rows = await context.db
    .selectFrom("job_events")
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom("job_events as each")
        .select(eb.fn.countAll<number>().as("total"))
        .where("each.job_id", "=", jobId)
        .as("total"),
    )
    .where("job_id", "=", jobId)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return { data: rows.map(({ total: _total, ...event }) => event).toReversed(), total: rows[0]?.total ?? 0 };
}

function anyOf(ids: readonly string[]) {
  return sql<string>`any(${ids}::uuid[])`;
}

/** Returns a signed link. Throws ClipmillError "not_found". */
export async function readSourceLink(
  context: Pick<Context, "db" | "links">,
  videoId: string,
): Promise<SourceLinkResponse> {
  const video = await context.db.selectFrom("job_videos").select("id").where("id", "=", videoId).executeTakeFirst();
  if (!video) throw new ClipmillError("not_found", "The video does not exist.");
  return { url: context.links.sign(`/downloads/sources/${video.id}`) };
}
