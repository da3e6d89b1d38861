import path from "node:path";
import { pino } from "pino";
import { expect, it, onTestFinished, vi } from "vitest";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { openTestWorker } from "#tests/support/servers/worker.ts";
import { startDiskGuard } from "./disk-guard.ts";

/** On a simulated disk; collects the log levels. */
async function watchDisk(freePercent: number | null) {
  const disk = { freePercent };
  const levels: string[] = [];
  const write = (line: string) => {
    levels.push(pino.levels.labels[(JSON.parse(line) as { level: number }).level]!);
  };
  const log = pino({}, { write });
  const guard = await startDiskGuard("a folder", log, async () => {
    if (disk.freePercent === null) throw new Error("No such disk.");
    return { freeBytes: disk.freePercent * 1e9, totalBytes: 100e9 };
  });
  onTestFinished(() => guard.stop());
  const become = async (percent: number | null) => {
    disk.freePercent = percent;
    await guard.check();
    return guard.state();
  };
  return { guard, levels, become };
}

it("warns below 10 % and reports a full disk below 3 %, once each", async () => {
  const { guard, levels, become } = await watchDisk(10);
  expect([guard.state(), levels]).toEqual(["ok", []]);
  expect(await become(9.9)).toBe("low");
  expect(await become(5)).toBe("low");
  expect(await become(3)).toBe("low");
  expect(levels).toEqual(["warn"]);
  expect(await become(2.9)).toBe("full");
  expect(await become(1)).toBe("full");
  expect(levels).toEqual(["warn", "error"]);
  // Hysteresis: still full slightly above the limit.
  expect(await become(3.2)).toBe("full");
  expect(await become(4)).toBe("low");
  expect(await become(50)).toBe("ok");
  expect(levels).toEqual(["warn", "error", "warn", "info"]);
});

it("keeps its state when the disk cannot be read", async () => {
  const { become } = await watchDisk(2);
  expect(await become(null)).toBe("full");
  expect(await become(20)).toBe("ok");
  expect(await become(null)).toBe("ok");
});

it("reads the free space of a real folder", async () => {
  const guard = await startDiskGuard(import.meta.dirname, pino({ level: "silent" }));
  onTestFinished(() => guard.stop());
  expect(["ok", "low", "full"]).toContain(guard.state());
});

it("starts no task on a full disk and resumes when there is space", async () => {
  await using worker = await openTestWorker();
  const { queue } = worker.context;
  const videos = vi.spyOn(queue.videos, "work");
  const captions = vi.spyOn(queue.captions, "work");
  const { guard, become } = await watchDisk(1);
  await worker.start(2, { disk: guard });
  expect([videos.mock.lastCall![2], captions.mock.lastCall![2]]).toMatchObject([
    { isPaused: true },
    { isPaused: true },
  ]);

  const clip = path.join(worker.folder, "clip.mp4");
  await makeClip(clip, { width: 180, height: 320, seconds: 1 });
  worker.twin.add({ id: "clip", path: clip, name: "clip.mp4", mimeType: "video/mp4", behaviour: { kind: "normal" } });
  const job = await worker.create({ input_videos: [worker.twin.links("clip")] });
  expect((await queue.measure()).map(({ name, waiting }) => [name, waiting])).toEqual([
    ["captions", 0],
    ["deliveries", 0],
    ["folders", 0],
    ["mails", 0],
    ["runs", 0],
    ["transcripts", 0],
    ["videos", 1],
    ["webhooks", 0],
  ]);
  const roomAt = Date.now();
  await become(5);
  const ended = await worker.finish(job);
  expect(ended.status).toBe("Completed");
  expect(Date.parse(ended.processing_started_at!)).toBeGreaterThanOrEqual(roomAt);
});
