import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readJobVideos } from "#operations/jobs/read/read-job.ts";
import { findFiles } from "#tests/support/jobs/find-files.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { pixelAt, probeFile } from "#tests/support/media/measure.ts";
import { readAllFrames } from "#tests/support/media/read-all-frames.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

let worker: TestWorker;
const links: Record<string, string> = {};
const COLORS = { gray: "0x808080", red: "red", blue: "blue", lime: "lime" } as const;

beforeAll(async () => {
  worker = await openTestWorker();
  for (const [name, color] of Object.entries(COLORS)) {
    const file = path.join(worker.folder, `${name}.mp4`);
    await makeClip(file, { color, width: 64, height: 64, framesPerSecond: 10, seconds: 1, toneHz: null });
    worker.twin.add({ id: name, path: file, name: `${name}.mp4`, mimeType: "video/mp4" });
    links[name] = worker.twin.links(name);
  }
  worker.twin.add({
    ...{ id: "absent", path: path.join(worker.folder, "red.mp4"), name: "absent.mp4", mimeType: "video/mp4" },
    behaviour: { kind: "notFound" },
  });
  links["absent"] = worker.twin.links("absent");
  await worker.start();
});
afterAll(() => worker[Symbol.asyncDispose]());

/** The color of each second. */
async function colorsOf(file: string): Promise<string[]> {
  const frames = await readAllFrames(file);
  return frames
    .filter((_, i) => i % 10 === 5)
    .map((frame) => {
      const { red, green, blue } = pixelAt(frame, 32, 32);
      const strongest = Math.max(red, green, blue);
      if (strongest - Math.min(red, green, blue) < 40) return "gray";
      return strongest === red ? "red" : strongest === green ? "lime" : "blue";
    });
}

it("shows the job's intro and end card around every video, and a row's own instead", async () => {
  const job = await worker.create({
    input_videos: [],
    rows: [{ link: links["gray"]! }, { link: links["gray"]!, settings: { outro_link: links["lime"]! } }],
    intro_link: links["red"]!,
    outro_link: links["blue"]!,
  });
  expect((await worker.finish(job)).status).toBe("Completed");
  const files = await findFiles(worker, job.id);
  expect(await Promise.all(files.map(colorsOf))).toEqual([
    ["red", "gray", "blue"],
    ["red", "gray", "lime"],
  ]);
  for (const file of files) expect((await probeFile(file)).streams[0]).toMatchObject({ packets: 30 });
});

it("names the clip that cannot be used", async () => {
  const job = await worker.create({ input_videos: [links["gray"]!], outro_link: links["absent"]! });
  expect((await worker.finish(job)).status).toBe("Failed");
  const [video] = await readJobVideos(worker.context, job.id);
  expect(video!.error_message).toMatch(/^End card: /);
});
