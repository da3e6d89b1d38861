import path from "node:path";
import { expect, it } from "vitest";
import { readJobVideos } from "#operations/jobs/read/read-job.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

function share({ twin }: TestWorker, id: string, file: string): string {
  twin.add({ id, path: file, name: `${id}.mp4`, mimeType: "video/mp4" });
  return twin.links(id);
}

it("rejects an 11-hour video at 1 frame per second with 100 captions, and reports its cost", async () => {
  await using worker = await openTestWorker();
  const minute = path.join(worker.folder, "minute.mp4");
  await makeClip(minute, { width: 1_920, height: 1_080, framesPerSecond: 1, seconds: 60, color: "gray", toneHz: null });
  const long = path.join(worker.folder, "long.mp4");
  await runTestFfmpeg(["-stream_loop", "659", "-i", minute, "-c", "copy", long]);
  await worker.start();
  const captions = Array.from({ length: 100 }, (_, i) => `Caption ${i}`);
  const job = await worker.create({
    input_videos: [share(worker, "long", long)],
    variants_per_video: 100,
    captions_enabled: true,
    custom_captions: captions,
  });
  expect(await worker.finish(job)).toMatchObject({ status: "Failed" });
  expect(await readJobVideos(worker.context, job.id)).toMatchObject([
    {
      status: "Failed",
      attempts: 1,
      error_message:
        "This video would take about 2,200 minutes of encoding, counted as 1080p at 30 frames per second, more than the " +
        "2,000 allowed per video (VIDEO_COST_LIMIT_MINUTES). Use a shorter video or fewer captions.",
    },
  ]);
});

it("makes the videos of a job up to its limit and rejects the rest", async () => {
  await using worker = await openTestWorker();
  const clip = path.join(worker.folder, "clip.mp4");
  await makeClip(clip, { width: 640, height: 360, seconds: 2, toneHz: null });
  // Each takes 60 frames of a ninth of 1080p: 0.0037 minutes.
  await worker.start(1, { costLimits: { videoMinutes: 1, jobMinutes: 0.009 } });
  const links = ["one", "two", "three"].map((id) => share(worker, id, clip));
  const job = await worker.create({ input_videos: links, captions_enabled: true, custom_captions: ["a", "b", "c"] });
  expect(await worker.finish(job)).toMatchObject({ status: "Completed" });
  const videos = await readJobVideos(worker.context, job.id);
  expect(videos.map(({ status }) => status)).toEqual(["Completed", "Completed", "Failed"]);
  expect(videos[2]!.error_message).toBe(
    "With this video, the job would take about 0.0111 minutes of encoding, counted as 1080p at 30 frames per second, more " +
      "than the 0.009 allowed per job (JOB_COST_LIMIT_MINUTES). Split the job, or use fewer captions.",
  );
});
