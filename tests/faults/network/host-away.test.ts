import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { readJobVideos } from "#operations/jobs/read/read-job.ts";
import { testFault } from "#tests/support/faults/fault-rounds.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import {
  createAheadClock,
  MINUTE_MS,
  advanceTime,
  readHost,
  waitUntilCoolingDown,
} from "#tests/support/faults/outage.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { savePrefetchSources } from "#operations/settings/read-settings.ts";
import { openTestWorker } from "#tests/support/servers/worker.ts";

const LINKS = 300;
const folder = await makeScratchFolder();

testFault(
  {
    id: "host-away",
    fault: "300 links to a host that is down for 20 minutes (simulated clock)",
    expected: "all complete without intervention; waiting uses no attempts",
    // cooldowns.test.ts tests the same with a few links.
    rounds: { short: 0, full: 5 },
    secondsPerRound: 300,
  },
  oneRound,
);

async function oneRound(): Promise<Record<string, number>> {
  const file = path.join(folder, "clip.mp4");
  await makeClip(file, { width: 64, height: 64, seconds: 0.5, framesPerSecond: 10, toneHz: null });
  const bytes = await readFile(file);
  const clock = createAheadClock();
  await using worker = await openTestWorker();
  // Requests are counted.
  await savePrefetchSources(worker.context.db, false);
  const links = Array.from({ length: LINKS }, (_, i) => {
    const id = `clip-${i}`;
    worker.twin.add({ id, bytes, name: `${id}.mp4`, mimeType: "video/mp4", behaviour: { kind: "normal" } });
    return worker.twin.links(id);
  });
  const job = await worker.create({ input_videos: links });
  worker.twin.setAway("cuts");
  await worker.start(4, { readNow: clock.readNow });
  await waitUntilCoolingDown(worker, clock);
  const countWaiting = async () =>
    (await readJobVideos(worker.context, job.id)).filter((video) => video.waits_for !== null).length;
  await expect.poll(countWaiting, { timeout: 60_000 }).toBe(LINKS);

  const cooldowns = await advanceTime(worker, clock, 20);
  expect(cooldowns.at(-1)).toBeGreaterThan(2 * MINUTE_MS);
  const requests = worker.twin.requests.length;
  // A few requests failed before the host cooled down; each cooldown then ends with a single probe.
  expect(requests).toBeLessThan(8 + cooldowns.length);

  worker.twin.setAway(null);
  clock.aheadMs += 6 * MINUTE_MS;
  expect(await worker.finish(job, 240_000)).toMatchObject({ status: "Completed", error_message: null, progress: 100 });
  const videos = await readJobVideos(worker.context, job.id);
  expect(videos.filter((video) => video.status === "Completed")).toHaveLength(LINKS);
  // Only the videos in flight when the host went down needed another attempt.
  expect(videos.filter((video) => video.attempts > 1).length).toBeLessThanOrEqual(4);
  expect(await readHost(worker)).toBeUndefined();
  return { "requests during the outage": requests };
}
