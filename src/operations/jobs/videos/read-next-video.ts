import type { VideoTask } from "#queue/open-queue.ts";
import type { Context } from "../../context.ts";
import { withSettings } from "../read/stored-settings.ts";
import { type ClaimedVideo, settingsForVideo } from "./claim-video.ts";

/** What a waiting video will be made from. */
export type NextVideo = Pick<ClaimedVideo, "job" | "turns"> & {
  video: Pick<ClaimedVideo["video"], "link" | "proof_variants">;
};

/** Reads a waiting task's video and job without changing them. Returns null if it will not start. */
export async function readNextVideo(
  { db }: Pick<Context, "db">,
  { jobId, videoId }: VideoTask,
): Promise<NextVideo | null> {
  const video = await db
    .selectFrom("job_videos")
    .select(["link", "position", "row_settings", "proof_variants"])
    .where("id", "=", videoId)
    .where("status", "=", "Queued")
    .executeTakeFirst();
  if (!video) return null;
  const job = await db
    .selectFrom("jobs")
    .selectAll()
    .where("id", "=", jobId)
    .where("status", "in", ["Queued", "Processing"])
    .where("held_at", "is", null)
    .executeTakeFirst();
  return job ? { ...settingsForVideo(withSettings(job), video), video } : null;
}
