import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { cancelJob } from "#operations/jobs/cancel-job.ts";
import { readJobOutputs, readJobVideos } from "#operations/jobs/read/read-job.ts";
import { retryJob } from "#operations/jobs/retry-job.ts";
import { saveServiceKey } from "#operations/settings/service-key.ts";
import { changeTranscript } from "#operations/transcripts/change-transcript.ts";
import { saveTranscriptNames } from "#operations/transcripts/transcript-names.ts";
import { listTranscripts, readTranscript } from "#operations/transcripts/read-transcripts.ts";
import { findFiles } from "#tests/support/jobs/find-files.ts";
import { boxOfPixels, type Frame } from "#tests/support/media/measure.ts";
import { decodeSamples, FRAME_CODE, frameCodes, SAMPLE_RATE } from "#tests/support/media/measure-timing.ts";
import { readAllFrames } from "#tests/support/media/read-all-frames.ts";
import { makeRecording, type Phrase } from "#tests/support/media/sound/make-speech.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";
import { type OpenAiTwin, startOpenAiTwin, TWIN_KEY, type TwinWord } from "#tests/support/twins/openai/openai-twin.ts";

const WORDS = ["Good", "evening", "we", "are", "cooking", "seven", "lazy", "potatoes", "with", "butter", "for", "all"];
const PAUSES = [0.9, 0.25, 0.5, 0.3, 0.7, 0.2, 0.35, 0.6, 0.25, 0.4, 0.3, 0.55, 1];
const RATE = 30;
/** Up to 300 ms. */
const ERRORS = [0.29, -0.28, 0.3, -0.1, 0.22, -0.3, 0.15, -0.25, 0.28, 0.3, -0.2, 0.26];

let openAi: OpenAiTwin;
let worker: TestWorker;
let phrases: Phrase[];

beforeAll(async () => {
  openAi = await startOpenAiTwin({ models: ["whisper-1"] });
  worker = await openTestWorker({ openAiUrl: openAi.url });
  const file = path.join(worker.folder, "talk.mp4");
  // A sentence starts with a capital.
  const text = WORDS.map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}.`).join(" ");
  ({ phrases } = await makeRecording(file, { language: "en", text, pauses: PAUSES }, "color=gray:s=320x320:r=30"));
  await worker.start();
});
beforeEach(async () => {
  openAi.transcriptions.length = 0;
  openAi.transcribe(() => transcriptOf(phrases));
  await saveServiceKey(worker.context, "openai_key", TWIN_KEY);
  await worker.context.db.deleteFrom("transcripts").execute();
  // Another hint: what was recognized in another test is not used.
  await saveTranscriptNames(worker.context.db, [{ to: `Name ${++tests}` }]);
});
afterAll(async () => {
  await worker[Symbol.asyncDispose]();
  await openAi.close();
});

/** The sound is sent from half a second before the speech that Silero detects. */
function transcriptOf(spoken: readonly Phrase[], errors: readonly number[] = []) {
  const from = spoken[0]!.startSeconds - 0.536;
  const words = spoken.map(({ startSeconds, endSeconds }, i): TwinWord => {
    const start = Math.max(0, startSeconds - from + (errors[i] ?? 0));
    return { word: WORDS[i]!, start, end: Math.max(start, endSeconds - from + (errors[i] ?? 0)) };
  });
  return { text: `${WORDS.slice(0, 2).join(" ")}, ${WORDS.slice(2).join(" ")}.`, language: "english", words };
}

let tests = 0;
let clips = 0;
/** Each is another file of the host with the same content. */
function link(): string {
  const id = `talk-${++clips}`;
  worker.twin.add({ id, path: path.join(worker.folder, "talk.mp4"), name: "talk.mp4", mimeType: "video/mp4" });
  return worker.twin.links(id);
}

const subtitled = { subtitles_enabled: true, subtitle_style: "word" } as const;
const create = (request: object = {}) => worker.create({ input_videos: [link()], ...subtitled, ...request });
const list = async () => (await listTranscripts(worker.context, { page: 1, limit: 20 })).data;

const isWhite = ({ red, green, blue }: { red: number; green: number; blue: number }) =>
  Math.min(red, green, blue) > 200;

/** Returns the times of frames that show another word than the frame before. */
function onsetsIn(frames: readonly Frame[]): number[] {
  const widths = frames.map((frame) => boxOfPixels(frame, isWhite)).map((box) => box && box.right - box.left);
  return widths.flatMap((width, i) => (width !== null && width !== widths[i - 1] ? [i / RATE] : []));
}

it("shows words in time with the sound, even if the server's times are off by up to 0.3 s", async () => {
  openAi.transcribe(() => transcriptOf(phrases, ERRORS));
  const job = await create();
  expect(await worker.finish(job)).toMatchObject({ status: "Completed" });
  const [file] = await findFiles(worker, job.id);
  const onsets = onsetsIn(await readAllFrames(file!));
  expect([phrases.length, onsets.length]).toEqual([WORDS.length, WORDS.length]);
  const errors = onsets.map((onset, i) => Math.abs(onset - phrases[i]!.startSeconds)).toSorted((a, b) => a - b);
  expect(errors[Math.floor(errors.length / 2)]).toBeLessThan(0.04);
  expect(errors[Math.floor(errors.length * 0.95)]).toBeLessThan(0.08);
});

it("transcribes a content once for all variants and jobs, with names as hint and correction", async () => {
  await saveTranscriptNames(worker.context.db, [{ from: "lazy potatoes", to: "Lacy Potatoes" }]);
  const jobs = [await create({ variants_per_video: 4, captions_enabled: true, custom_captions: ["A", "B", "C", "D"] })];
  jobs.push(await create({ input_videos: [link(), link()] }));
  for (const job of jobs) expect(await worker.finish(job)).toMatchObject({ status: "Completed" });
  expect(openAi.transcriptions).toHaveLength(1);
  expect(openAi.transcriptions[0]).toMatchObject({
    ...{ model: "whisper-1", fileName: "speech.wav", prompt: "Lacy Potatoes", granularities: ["word", "segment"] },
  });
  const [transcript, ...others] = await list();
  expect(others).toEqual([]);
  expect(transcript).toMatchObject({ language: "en", origin: "server", status: "Completed", name: "talk.mp4" });
  expect(new Set(transcript!.videos.map((video) => video.job_id))).toEqual(new Set(jobs.map(({ id }) => id)));
  const { lines } = await readTranscript(worker.context, transcript!.id);
  const text = lines.map(({ words }) => words.map((word) => word.text).join("")).join("|");
  expect(text).toBe("Good evening, we are cooking seven Lacy Potatoes with butter for all.");
  const outputs = await readJobOutputs(worker.context, jobs[0]!.id);
  expect(outputs.map(({ warnings }) => warnings)).toEqual([[], [], [], []]);
});

it("shows corrected words, and does not transcribe again", async () => {
  await worker.finish(await create());
  const { id } = (await list())[0]!;
  const { lines, revision } = await readTranscript(worker.context, id);
  const [first, second] = lines[0]!.words;
  const words = [first!, { ...second!, hidden: true }];
  await changeTranscript({ ...worker.context }, { id, revision, lines: [{ ...lines[0]!, words }] });
  const job = await create();
  await worker.finish(job);
  const [file] = await findFiles(worker, job.id);
  expect(onsetsIn(await readAllFrames(file!))).toHaveLength(1);
  expect(openAi.transcriptions).toHaveLength(1);
});

it("cuts a filler between frames, with its sound, and no word beside it", async () => {
  const source = path.join(worker.folder, "coded.mp4");
  const text = WORDS.map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}.`).join(" ");
  const picture = `color=gray:s=160x160:r=${RATE},${FRAME_CODE}`;
  const { phrases: all } = await makeRecording(source, { language: "en", text, pauses: PAUSES }, picture);
  worker.twin.add({ id: "coded", path: source, name: "coded.mp4", mimeType: "video/mp4" });
  // The server returns "um" where "seven" is spoken.
  const transcript = transcriptOf(all);
  const words = transcript.words.map((word, i) => (i === 5 ? { ...word, word: "um" } : word));
  openAi.transcribe(() => ({ ...transcript, words, text: transcript.text.replace("seven", "um,") }));
  const job = await worker.create({ input_videos: [worker.twin.links("coded")], cut_fillers: true });
  expect(await worker.finish(job)).toMatchObject({ status: "Completed", cut_fillers: true, subtitles_enabled: false });
  const [output] = await readJobOutputs(worker.context, job.id);
  expect(output!.warnings).toEqual([]);

  const [file] = await findFiles(worker, job.id);
  const before = [...(await frameCodes(source)).keys()];
  const left = new Set((await frameCodes(file!)).keys());
  const missing = before.filter((code) => !left.has(code));
  const [first, last] = [missing[0]!, missing.at(-1)!];
  expect(missing).toHaveLength(last - first + 1);
  expect(await readAllFrames(file!)).toHaveLength(before.length - missing.length);
  const filler = all[5]!;
  expect(first / RATE).toBeGreaterThan(all[4]!.endSeconds + 0.04);
  expect(first / RATE).toBeLessThan(filler.startSeconds + 0.02);
  expect((last + 1) / RATE).toBeGreaterThan(filler.endSeconds - 0.02);
  expect((last + 1) / RATE).toBeLessThan(all[6]!.startSeconds - 0.04);

  const [spoken, cut] = [await decodeSamples(source), await decodeSamples(file!)];
  const shift = missing.length / RATE;
  for (const [i, { startSeconds, endSeconds }] of all.entries()) {
    if (i === 5) continue;
    const earlier = i > 5 ? shift : 0;
    for (const at of [startSeconds, endSeconds - 0.05]) {
      const change = levelIn(cut, at - earlier, 0.05) - levelIn(spoken, at, 0.05);
      expect(Math.abs(change), `word ${i}`).toBeLessThan(1);
    }
  }
  const pause = { from: all[4]!.endSeconds + 0.03, until: all[6]!.startSeconds - shift - 0.03 };
  expect(levelIn(cut, pause.from, pause.until - pause.from)).toBeLessThan(-50);
  expect(levelIn(spoken, filler.startSeconds, 0.1)).toBeGreaterThan(-40);
});

/** Decibels. */
function levelIn(samples: Float32Array, fromSeconds: number, seconds: number): number {
  const from = Math.round(fromSeconds * SAMPLE_RATE);
  const part = samples.subarray(from, from + Math.round(seconds * SAMPLE_RATE));
  return 10 * Math.log10(part.reduce((sum, sample) => sum + sample ** 2, 1e-12) / part.length);
}

it("resends only what was in flight when an attempt was cut off", async () => {
  openAi.transcribe(() => ({ kind: "gated" }));
  const job = await create();
  await expect.poll(() => openAi.transcriptions.length).toBe(1);
  // The request in flight is lost with its attempt.
  openAi.transcribe(() => transcriptOf(phrases));
  worker.context.queue.handBack((await list())[0]!.id);
  expect(await worker.finish(job)).toMatchObject({ status: "Completed" });
  expect(openAi.transcriptions).toHaveLength(2);
  await worker.context.db.deleteFrom("transcripts").execute();
  // Killed before its end was written: what was recognized is in the cache.
  await worker.finish(await create());
  expect(openAi.transcriptions).toHaveLength(2);
});

it("fails videos with the reason, and transcribes again when they are retried", async () => {
  await saveServiceKey(worker.context, "openai_key", "sk-wrong-key-of-some-length");
  const job = await create({ start_seconds: 0.1 });
  expect(await worker.finish(job)).toMatchObject({ status: "Failed" });
  const [video] = await readJobVideos(worker.context, job.id);
  expect(video).toMatchObject({
    error_code: "not_transcribed",
    error_message: "Subtitles: OpenAI rejected the API key. Check your OpenAI API key in settings.",
    attempts: 1,
  });
  await saveServiceKey(worker.context, "openai_key", TWIN_KEY);
  await retryJob(worker.context, job.id);
  expect(await worker.finish(job)).toMatchObject({ status: "Completed" });
});

it("stops a transcription that no job needs any longer", async () => {
  openAi.transcribe(() => ({ kind: "gated" }));
  const before = openAi.abandoned;
  const job = await create();
  await expect.poll(() => openAi.transcriptions.length).toBe(1);
  await cancelJob(worker.context, job.id);
  await expect.poll(() => openAi.abandoned).toBe(before + 1);
  await expect.poll(async () => (await list())[0]!.status).toBe("Cancelled");
});
