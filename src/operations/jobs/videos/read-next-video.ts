import type { VideoTask } from "#queue/open-queue.ts";
import type { Context } from "../../context.ts";
import { withSettings } from "../read/stored-settings.ts";
import { type ClaimedVideo, selectJobOfVideo, settingsForVideo } from "./claim-video.ts";

export type NextVideo = Pick<ClaimedVideo, "job" | "turns"> & {
  video: Pick<ClaimedVideo["video"], "link" | "clips" | "proof_variants">;
};

/** Changes nothing. Returns null if the video will not start. */
export async function readNextVideo(
  { db }: Pick<Context, "db">,
  { jobId, videoId }: VideoTask,
): Promise<NextVideo | null> {
  const video = await db
    .selectFrom("job_videos")
    .select(["link", "clips", "position", "row_settings", "proof_variants"])
    .where("id", "=", videoId)
    .where("status", "=", "Queued")
    .executeTakeFirst();
  if (!video) return null;
  const job = await selectJobOfVideo(db)
    .where("id", "=", jobId)
    .where("status", "in", ["Queued", "Processing"])
    .where("held_at", "is", null)
    .executeTakeFirst();
  return job ? { ...settingsForVideo(withSettings(job), video), video } : null;
}
