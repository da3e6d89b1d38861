import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import { JOB_DEFAULTS } from "#contract/job-settings/setting-values.ts";
import { planRender } from "#media/plan/plan-render.ts";
import { probe } from "#media/probe/probe.ts";
import type { Download } from "#operations/downloads/link-signer.ts";
import { readManifest } from "#operations/downloads/manifest/open-manifest.ts";
import { openSubtitles } from "#operations/downloads/open-stored.ts";
import { openJobZip } from "#operations/downloads/open-job-zip.ts";
import { readJobOutputs, readJobVideos } from "#operations/jobs/read/read-job.ts";
import { saveServiceKey } from "#operations/settings/service-key.ts";
import { changeTranscript } from "#operations/transcripts/change-transcript.ts";
import { areSpoken } from "#operations/transcripts/are-spoken.ts";
import { listTranscripts, readTranscript } from "#operations/transcripts/read-transcripts.ts";
import type { TextsToTranslate } from "#operations/translations/translate-texts.ts";
import { saveGlossary } from "#operations/translations/read-glossary.ts";
import { findFiles } from "#tests/support/jobs/find-files.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { framePixels, shareOfDifferentPixels } from "#tests/support/media/measure.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { makeRecording } from "#tests/support/media/sound/make-speech.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";
import { type OpenAiTwin, startOpenAiTwin, TWIN_KEY } from "#tests/support/twins/openai/openai-twin.ts";
import type { Attempt } from "./attempt.ts";
import { assignWanted, toRenderRequests } from "./plan-video.ts";
import { withSubtitles } from "./with-subtitles.ts";

const SENTENCES = ["Welcome back.", "This is the fox.", "It jumps over dogs."];
const SRT = SENTENCES.map((text, i) => `${i + 1}\n00:00:0${i},500 --> 00:00:0${i + 1},300\n${text}\n`).join("\n");

let openAi: OpenAiTwin;
let worker: TestWorker;

beforeAll(async () => {
  openAi = await startOpenAiTwin({ models: ["whisper-1"] });
  worker = await openTestWorker({ openAiUrl: openAi.url });
  const talk = path.join(worker.folder, "talk.mp4");
  const pauses = [0.6, 0.7, 0.8, 0.6];
  const { phrases } = await makeRecording(
    talk,
    { language: "en", text: SENTENCES.join(" "), pauses },
    "color=gray:s=160x160:r=10",
  );
  const words = SENTENCES.flatMap((sentence, i) => {
    const spoken = sentence.replace(".", "").split(" ");
    const { startSeconds, endSeconds } = phrases[i]!;
    const [start, step] = [
      startSeconds - phrases[0]!.startSeconds + 0.536,
      (endSeconds - startSeconds) / spoken.length,
    ];
    return spoken.map((word, nth) => ({ word, start: start + nth * step, end: start + (nth + 1) * step }));
  });
  openAi.transcribe(() => ({ text: SENTENCES.join(" "), language: "english", words }));
  const clip = path.join(worker.folder, "clip.mp4");
  await makeClip(clip, { width: 320, height: 320, framesPerSecond: 10, seconds: 4, color: "gray" });
  const srt = path.join(worker.folder, "words.srt");
  await writeFile(srt, SRT);
  worker.twin.add({ id: "talk", path: talk, name: "talk.mp4", mimeType: "video/mp4" });
  worker.twin.add({ id: "clip", path: clip, name: "clip.mp4", mimeType: "video/mp4" });
  worker.twin.add({ id: "words", path: srt, name: "words.srt", mimeType: "application/x-subrip" });
  await worker.start();
});
beforeEach(async () => {
  openAi.behave(() => ({ kind: "normal" }));
  openAi.chats.length = 0;
  await saveServiceKey(worker.context, "openai_key", TWIN_KEY);
});
afterAll(async () => {
  await worker[Symbol.asyncDispose]();
  await openAi.close();
});

/** The texts of each request, by language. */
const asked = () =>
  openAi.chats
    .map(({ translation }) => [translation!.language, translation!.texts.map(({ text }) => text)] as const)
    .toSorted(([a], [b]) => a.localeCompare(b));

async function textIn(download: Download): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of download.read({ start: 0, end: download.sizeBytes - 1 })) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

const srtOf = async (id: string) => await textIn(await openSubtitles(worker.context, id, "srt"));
const timesIn = (srt: string) => srt.split("\n").filter((line) => line.includes("-->"));

it("makes 4 variants in 3 languages with one transcription, and translates each line once", async () => {
  const job = await worker.create({
    ...{ input_videos: [worker.twin.links("talk")], variants_per_video: 4 },
    ...{ subtitles_enabled: true, subtitle_languages: ["de", "AR", "en"] },
    ...{ captions_enabled: true, custom_captions: ["A", "B", "C", "D"], caption_end_seconds: 0.4 },
  });
  expect(await worker.finish(job)).toMatchObject({ status: "Completed", subtitle_languages: ["de", "ar", "en"] });
  const outputs = await readJobOutputs(worker.context, job.id);
  expect(outputs).toHaveLength(12);
  expect(outputs.flatMap(({ warnings }) => warnings)).toEqual([]);
  expect(openAi.transcriptions).toHaveLength(1);
  // The speech is English.
  expect(asked()).toEqual([
    ["ar", SENTENCES],
    ["de", SENTENCES],
  ]);

  const manifest = await readManifest(worker.context, job.id);
  expect(manifest.request.subtitle_languages).toEqual(["de", "ar", "en"]);
  const first = manifest.outputs.slice(0, 3).map(({ language, caption, subtitles }) => [language, caption, subtitles]);
  expect(first).toEqual([
    ["de", "A", "001-v1-de-talk.de.srt"],
    ["ar", "A", "001-v2-ar-talk.ar.srt"],
    ["en", "A", "001-v3-en-talk.en.srt"],
  ]);
  const [german, arabic, english] = await Promise.all(outputs.slice(0, 3).map(({ id }) => srtOf(id)));
  expect(english).toContain("Welcome back.");
  expect(german).not.toContain("Welcome");
  expect(arabic).toMatch(/\p{sc=Arabic}/u);
  expect(timesIn(german!)).toEqual(timesIn(english!));
  const { fileName } = await openSubtitles(worker.context, outputs[1]!.id, "vtt");
  expect(fileName).toBe("001-v2-ar-talk.ar.vtt");
  expect(await textIn(await openJobZip(worker.context, job.id))).toContain("001-v2-ar-talk.ar.vtt");
});

it("translates a corrected line again, with what is said around it, and no other", async () => {
  const request = {
    ...{ input_videos: [worker.twin.links("clip")], subtitles: worker.twin.links("words"), subtitles_enabled: true },
    ...{ subtitle_languages: ["fr", "ja"], subtitle_style: "karaoke" as const },
  };
  await worker.finish(await worker.create(request));
  const { data } = await listTranscripts(worker.context, { page: 1, limit: 1 });
  const { lines, revision, id } = await readTranscript(worker.context, data[0]!.id);
  const [first, second, third] = lines as [(typeof lines)[0], (typeof lines)[0], (typeof lines)[0]];
  const words = second.words.map((word) => (word.text === "fox." ? { ...word, text: "red fox." } : word));
  await changeTranscript({ ...worker.context }, { id, revision, lines: [first, { ...second, words }, third] });
  openAi.chats.length = 0;
  const job = await worker.create(request);
  expect(await worker.finish(job)).toMatchObject({ status: "Completed" });
  const corrected = { id: 1, text: "This is the red fox.", before: SENTENCES[0], after: SENTENCES[2] };
  expect(openAi.chats.map(({ translation }) => translation!.texts)).toEqual([[corrected], [corrected]]);
  expect(openAi.transcriptions).toHaveLength(1);
  const [video] = await readJobVideos(worker.context, job.id);
  expect(await areSpoken(worker.context.db, video!.id, [corrected.text, ...SENTENCES.toSpliced(1, 1)])).toBe(true);
});

it("shows each language in its own pictures, and translates only what is in the part", async () => {
  await saveGlossary(worker.context.db, [{ term: "fox", translations: { he: "FOX" } }]);
  const job = await worker.create({
    ...{ input_videos: [worker.twin.links("clip")], subtitles: worker.twin.links("words"), subtitles_enabled: true },
    ...{ subtitle_languages: ["he", "th"], subtitle_style: "word" as const, start_seconds: 1.2, end_seconds: 3.9 },
  });
  await worker.finish(job);
  const lines = asked();
  expect(lines.map(([language]) => language)).toEqual(["he", "th"]);
  for (const [, texts] of lines) expect(texts).not.toContain(SENTENCES[0]);
  const [hebrew, thai] = (await findFiles(worker, job.id)) as [string, string];
  const differ = async (seconds: number) =>
    shareOfDifferentPixels(await framePixels(hebrew, seconds), await framePixels(thai, seconds));
  // A word of each is on screen, then none.
  expect(await differ(0.5)).toBeGreaterThan(0.005);
  expect(await differ(2.6)).toBe(0);
  const [output] = await readJobOutputs(worker.context, job.id);
  expect(await srtOf(output!.id)).toMatch(/\p{sc=Hebrew}+ \p{sc=Hebrew}+ .*FOX/u);
  await saveGlossary(worker.context.db, null);
});

it("translates captions and subtitles into their own languages", async () => {
  const job = await worker.create({
    ...{ input_videos: [worker.twin.links("clip")], subtitles: worker.twin.links("words"), subtitles_enabled: true },
    ...{ languages: ["el", "ru"], subtitle_languages: ["ru"], captions_enabled: true, custom_captions: ["One more"] },
  });
  await worker.finish(job);
  const outputs = await readJobOutputs(worker.context, job.id);
  expect(outputs.map(({ caption }) => /\p{sc=Greek}/u.test(caption!))).toEqual([true, false]);
  const srts = await Promise.all(outputs.map(({ id }) => srtOf(id)));
  expect(srts.map((srt) => /\p{sc=Cyrillic}/u.test(srt))).toEqual([false, true]);
  const { outputs: listed } = await readManifest(worker.context, job.id);
  expect(listed.map(({ subtitles }) => subtitles)).toEqual(["001-v1-el-clip.srt", "001-v2-ru-clip.ru.srt"]);
});

it("fails with one sentence while the model cannot be used", async () => {
  openAi.behave(() => ({ kind: "noCredit" }));
  const job = await worker.create({
    ...{ input_videos: [worker.twin.links("clip")], subtitles: worker.twin.links("words") },
    ...{ subtitles_enabled: true, subtitle_languages: ["it"] },
  });
  expect(await worker.finish(job)).toMatchObject({ status: "Failed" });
  expect((await readJobVideos(worker.context, job.id))[0]).toMatchObject({
    error_code: "bad_key",
    error_message: expect.stringMatching(/^The subtitles could not be translated\. /) as string,
  });
});

it("encodes only what differs: 4 variants in 3 languages share everything without a subtitle", async () => {
  const file = path.join(worker.folder, "clip.mp4");
  const source = { path: file, probe: await probe(await testTools(), file), revision: "clip" };
  const settings: JobSettings = {
    ...JOB_DEFAULTS,
    ...{ subtitles_enabled: true, subtitle_languages: ["de", "fr", "es"], variants_per_video: 4 },
  };
  const job = { ...settings, id: "job", total_videos: 1, proof_state: null };
  const claim = { job, turns: { caption: 0, track: 0 }, video: { link: "", clips: null, proof_variants: null } };
  const { wanted } = assignWanted(claim, [source.probe]);
  const [request] = toRenderRequests(claim, {
    ...{ clips: [source], names: ["clip"], tracks: new Map(), images: new Map(), assignments: wanted },
    valuesOf: () => ({}) as never,
  });
  const wishes: TextsToTranslate[] = [];
  const translate = async (one: TextsToTranslate) => {
    wishes.push(one);
    return new Map(one.texts.map((text) => [text, `${text} ${one.language}`]));
  };
  const attempt = { job, signal: new AbortController().signal, records: { translate } } as unknown as Attempt;
  const word = { startSeconds: 1, endSeconds: 2.5 };
  const lines = [{ ...word, words: [{ text: "Hello", ...word }] }];
  const subtitled = await withSubtitles(worker, attempt, request!, new Map([[0, { lines, language: "en" }]]));
  expect(wishes.map(({ language, texts }) => [language, texts])).toEqual(
    settings.subtitle_languages.map((tag) => [tag, ["Hello"]]),
  );
  const plan = planRender(subtitled);
  expect(subtitled.outputs).toHaveLength(12);
  // The start, the end, and the middle in each language.
  expect(plan.stretches).toHaveLength(2 + 3);
});
