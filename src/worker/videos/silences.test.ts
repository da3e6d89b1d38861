import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import { readJobOutputs } from "#operations/jobs/read/read-job.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { makeRecording, type Phrase } from "#tests/support/media/sound/make-speech.ts";
import { makeLoggingFfmpeg, testTools } from "#tests/support/media/media-tools.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

let worker: TestWorker;
let spoken: { phrases: Phrase[]; seconds: number };
let log: string;
const links: Record<string, string> = {};
const SILENCES = { cut_silences_ms: 600, silence_padding_ms: 100 };

beforeAll(async () => {
  worker = await openTestWorker();
  const tools = await testTools();
  const logging = await makeLoggingFfmpeg(worker.folder);
  ({ log } = logging);
  spoken = await makeRecording(path.join(worker.folder, "spoken.mp4"), { language: "en", pauses: [2], noiseDb: -24 });
  await makeRecording(path.join(worker.folder, "wordless.mp4"), {
    language: "en",
    pauses: [0.4],
    musicDb: 0,
    isWithoutSpeech: true,
  });
  await makeClip(path.join(worker.folder, "mute.mp4"), { width: 32, height: 32, seconds: 1, toneHz: null });
  for (const name of ["spoken", "wordless", "mute"]) {
    worker.twin.add({
      id: name,
      path: path.join(worker.folder, `${name}.mp4`),
      name: `${name}.mp4`,
      mimeType: "video/mp4",
    });
    links[name] = worker.twin.links(name);
  }
  await worker.start(1, { tools: { ...tools, ffmpeg: logging.ffmpeg } });
});
afterAll(() => worker[Symbol.asyncDispose]());

async function finish(request: Partial<CreateJobRequest> & Pick<CreateJobRequest, "input_videos">): Promise<WholeJob> {
  const job = await worker.finish(await worker.create(request));
  expect(job.status).toBe("Completed");
  return job;
}

const outputsOf = async (job: WholeJob) => await readJobOutputs(worker.context, job.id);
const analyses = async () => (await readFile(log, "utf8")).split("-f s16le").length - 1;

it("leaves the speech, and does not analyze a video again for another job", async () => {
  const first = await finish({ input_videos: [links["spoken"]!], ...SILENCES });
  const words = spoken.phrases.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);
  const [output] = await outputsOf(first);
  expect(output!.duration_seconds).toBeGreaterThan(words);
  expect(output!.duration_seconds).toBeLessThan(words + spoken.phrases.length * 0.5);
  expect(output!.warnings).toEqual([]);
  expect(await analyses()).toBe(1);

  const other = await finish({ input_videos: [links["spoken"]!], ...SILENCES, silence_padding_ms: 300 });
  expect((await outputsOf(other))[0]!.duration_seconds).toBeGreaterThan(output!.duration_seconds! + 1);
  expect(await analyses()).toBe(1);
});

it("takes a row's own setting, and keeps videos whole without sound or speech, with a warning", async () => {
  const job = await finish({
    input_videos: [],
    rows: [
      { link: links["spoken"]!, settings: { cut_silences_ms: 0 } },
      { link: links["wordless"]! },
      { link: links["mute"]! },
    ],
    ...SILENCES,
  });
  const outputs = await outputsOf(job);
  expect(outputs[0]!.duration_seconds).toBeCloseTo(spoken.seconds, 0);
  expect(outputs[2]!.duration_seconds).toBeCloseTo(1, 1);
  expect(outputs.map(({ warnings }) => warnings.map(({ message }) => message))).toEqual([
    [],
    ["Silences were not cut: no speech was found in this video."],
    ["Silences were not cut: this video has no sound that can be decoded."],
  ]);
});
