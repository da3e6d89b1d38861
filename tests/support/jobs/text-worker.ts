import { writeFile } from "node:fs/promises";
import path from "node:path";
import { planOutputs } from "#operations/jobs/create/plan-outputs.ts";
import { foldersOf } from "#operations/jobs/job-folders.ts";
import { claimVideo } from "#operations/jobs/videos/claim-video.ts";
import { completeOutput } from "#operations/jobs/videos/complete-output.ts";
import { endVideo } from "#operations/jobs/videos/end-video.ts";
import type { TestServer } from "../servers/server.ts";

/** Processes videos like a worker, with a short text instead of each video file. */
export async function startTextWorker({ context, folder }: TestServer): Promise<void> {
  await context.queue.videos.work(2, async (task) => {
    const claim = await claimVideo(context, task, task.attempt);
    if (!claim) return;
    const attemptRef = { jobId: task.jobId, videoId: task.videoId, attempt: task.attempt };
    const place = { ...attemptRef, name: "film.mp4", durationSeconds: 1 };
    const name = `${claim.video.position + 1}.mp4`;
    const outputs = await planOutputs(context, place, [{ variant: 0, segment: 0, name, caption: null, track: null }]);
    for (const { id } of outputs ?? []) {
      const local = path.join(folder, id);
      await writeFile(local, "a film");
      const storageKey = `${foldersOf(claim.job).outputs}/${name}`;
      const thumbnailKey = `${foldersOf(claim.job).thumbnails}/${id}.jpg`;
      const stored = await context.storage.put(storageKey, local);
      const facts = { storageKey, thumbnailKey, cover: null, durationSeconds: 1, width: 2, height: 2, ...stored };
      await completeOutput(context, attemptRef, { id, warnings: [], conformance: null, contentKey: id, ...facts });
    }
    await endVideo(context, attemptRef, { status: "Completed" });
  });
}
