import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import { readJobOutputs } from "#operations/jobs/read/read-job.ts";
import { findFiles } from "#tests/support/jobs/find-files.ts";
import { makeFaceClip, readCrop } from "#tests/support/media/make-face.ts";
import { makeLoggingFfmpeg, readTestFfmpeg, testTools } from "#tests/support/media/media-tools.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

let worker: TestWorker;
let log: string;
const links: Record<string, string> = {};
const MIDDLES = { left: 0.2, right: 0.8, nobody: null };
const FOLLOWED = { format: "9:16", fit_focus: "face", quality: "draft" } as const;

beforeAll(async () => {
  worker = await openTestWorker();
  const logging = await makeLoggingFfmpeg(worker.folder);
  ({ log } = logging);
  for (const [name, middle] of Object.entries(MIDDLES)) {
    const file = path.join(worker.folder, `${name}.mp4`);
    await makeFaceClip(
      file,
      Array.from({ length: 10 }, () => ({ middle, ground: "#7f93b0" })),
    );
    worker.twin.add({ id: name, path: file, name: `${name}.mp4`, mimeType: "video/mp4" });
    links[name] = worker.twin.links(name);
  }
  await worker.start(1, { tools: { ...(await testTools()), ffmpeg: logging.ffmpeg } });
});
afterAll(() => worker[Symbol.asyncDispose]());

async function finish(request: Partial<CreateJobRequest> & Pick<CreateJobRequest, "input_videos">) {
  const job = await worker.finish(await worker.create(request));
  expect(job.status).toBe("Completed");
  return { outputs: await readJobOutputs(worker.context, job.id), files: await findFiles(worker, job.id) };
}

const analyses = async () => (await readFile(log, "utf8")).split("scene_score").length - 1;

/** The middle of what a file shows of its source. */
async function middleAt(file: string, atSeconds: number): Promise<number> {
  const size = { width: 108, height: 192 };
  const filters = ["-frames:v", "1", "-vf", `scale=${size.width}:${size.height},format=rgb24`];
  const args = ["-v", "error", "-ss", String(atSeconds), "-i", file, ...filters, "-f", "rawvideo", "-"];
  return readCrop((await readTestFfmpeg(args)).stdout, size).middle;
}

it("crops to the face, and does not analyze a video again for another format or job", async () => {
  const { format: _, ...followed } = FOLLOWED;
  const { outputs, files } = await finish({
    ...{ input_videos: [links["left"]!], formats: ["9:16", "1:1"] },
    ...followed,
  });
  expect(outputs.map(({ warnings }) => warnings)).toEqual([[], []]);
  expect(await middleAt(files[0]!, 0.5)).toBeCloseTo(0.2, 1);
  expect(await analyses()).toBe(1);
  await finish({ input_videos: [links["left"]!], ...FOLLOWED, captions_enabled: true, custom_captions: ["A"] });
  expect(await analyses()).toBe(1);
});

it("follows each clip's own face, and crops an end card at the fixed point", async () => {
  const { files } = await finish({
    input_videos: [],
    slots: [
      { name: "Hook", clips: [{ link: links["left"]! }] },
      { name: "Body", clips: [{ link: links["right"]! }] },
    ],
    outro_link: links["right"]!,
    ...FOLLOWED,
  });
  for (const [i, middle] of [0.2, 0.8, 0.5].entries()) {
    expect(await middleAt(files[0]!, i + 0.5)).toBeCloseTo(middle, 1);
  }
});

it("keeps the fixed point without a face, with a warning, and analyzes nothing where nothing is cut off", async () => {
  const before = await analyses();
  const { outputs, files } = await finish({
    input_videos: [],
    rows: [
      { link: links["nobody"]! },
      { link: links["right"]!, settings: { fit_focus: "fixed" } },
      { link: links["right"]!, settings: { fit: "pad" } },
    ],
    ...FOLLOWED,
    fit_focus_x: 0.4,
  });
  expect(outputs.map(({ warnings }) => warnings.map(({ code }) => code))).toEqual([["faces_not_followed"], [], []]);
  expect(await middleAt(files[0]!, 0.5)).toBeCloseTo(await middleAt(files[1]!, 0.5), 2);
  expect((await analyses()) - before).toBe(1);
});
