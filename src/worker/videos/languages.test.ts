import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import { JOB_DEFAULTS } from "#contract/job-settings/setting-values.ts";
import { planRender } from "#media/plan/plan-render.ts";
import { probe } from "#media/probe/probe.ts";
import { readManifest } from "#operations/downloads/manifest/open-manifest.ts";
import { saveServiceKey } from "#operations/settings/service-key.ts";
import { readJobOutputs, readJobVideos } from "#operations/jobs/read/read-job.ts";
import { findFiles } from "#tests/support/jobs/find-files.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { boxOfPixels, framePixels, shareOfDifferentPixels } from "#tests/support/media/measure.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";
import { type OpenAiTwin, startOpenAiTwin, TWIN_KEY } from "#tests/support/twins/openai/openai-twin.ts";
import { assignWanted, toRenderRequests } from "./plan-video.ts";

let twin: OpenAiTwin;
let worker: TestWorker;
let link: string;
let clip: string;

beforeAll(async () => {
  twin = await startOpenAiTwin();
  worker = await openTestWorker({ openAiUrl: twin.url });
  clip = path.join(worker.folder, "clip.mp4");
  await makeClip(clip, { width: 320, height: 320, framesPerSecond: 10, seconds: 4, color: "gray" });
  worker.twin.add({ id: "clip", path: clip, name: "clip.mp4", mimeType: "video/mp4" });
  link = worker.twin.links("clip");
  await worker.start();
});
beforeEach(async () => {
  twin.behave(() => ({ kind: "normal" }));
  twin.chats.length = 0;
  await saveServiceKey(worker.context, "openai_key", TWIN_KEY);
});
afterAll(async () => {
  await worker[Symbol.asyncDispose]();
  await twin.close();
});

const isWhite = ({ red, green, blue }: { red: number; green: number; blue: number }) => red + green + blue > 690;

const captioned = (...captions: string[]) => ({ captions_enabled: true, custom_captions: captions });

it("makes each variant in all languages, with its caption translated", async () => {
  const job = await worker.create({
    ...{ input_videos: [link], languages: ["el", "AR"], variants_per_video: 2 },
    ...captioned("One more", "And two"),
    ...{ caption_start_seconds: 1, caption_end_seconds: 2.5 },
    name_pattern: "{variant} {language} {caption}",
  });
  expect(await worker.finish(job)).toMatchObject({ status: "Completed", languages: ["el", "ar"] });
  const outputs = await readJobOutputs(worker.context, job.id);
  expect(outputs.map(({ name }) => name.slice(0, 4))).toEqual(["1 el", "2 ar", "3 el", "4 ar"]);
  const scripts = [/^[\p{sc=Greek} ]+$/u, /^[\p{sc=Arabic} ]+$/u];
  for (const [i, { name, caption }] of outputs.entries()) {
    expect(caption).toMatch(scripts[i % 2]!);
    expect(name).toBe(`${i + 1} ${["el", "ar"][i % 2]} ${caption}.mp4`);
  }
  // One request per language.
  expect(twin.chats.map(({ translation }) => translation!.texts.length)).toEqual([2, 2]);

  const manifest = await readManifest(worker.context, job.id);
  expect(manifest.outputs.map(({ language }) => language)).toEqual(["el", "ar", "el", "ar"]);
  expect(manifest.request.languages).toEqual(["el", "ar"]);

  const [first, second] = (await findFiles(worker, job.id)) as [string, string];
  const at = async (seconds: number) =>
    [await framePixels(first, seconds), await framePixels(second, seconds)] as const;
  const [greek, arabic] = await at(1.5);
  expect(boxOfPixels(greek, isWhite)).not.toBeNull();
  expect(boxOfPixels(arabic, isWhite)).not.toBeNull();
  expect(shareOfDifferentPixels(greek, arabic)).toBeGreaterThan(0.005);
  expect(shareOfDifferentPixels(...(await at(0.5)))).toBe(0);
  expect(shareOfDifferentPixels(...(await at(3.5)))).toBe(0);
});

it("lets a row have its own languages, and asks for the captions of the next rows in the same request", async () => {
  const row = (settings: object) => ({ link, settings });
  const job = await worker.create({
    input_videos: [link, link, link],
    languages: ["de"],
    rows: [row(captioned("First")), row(captioned("Second")), row({ ...captioned("Third"), languages: ["fr", "es"] })],
  });
  expect(await worker.finish(job)).toMatchObject({ status: "Completed" });
  const outputs = await readJobOutputs(worker.context, job.id);
  expect(outputs.map(({ name }) => name)).toEqual([
    "001-v1-clip.mp4",
    "002-v1-clip.mp4",
    "003-v1-fr-clip.mp4",
    "003-v2-es-clip.mp4",
  ]);
  const asked = twin.chats.map(({ translation }) => [
    translation!.language,
    translation!.texts.map(({ text }) => text),
  ]);
  expect(asked).toHaveLength(3);
  expect(asked[0]).toEqual(["de", ["First", "Second"]]);
});

it("fails with one sentence while the model cannot be used, and completes once it can", async () => {
  twin.behave(() => ({ kind: "noCredit" }));
  const job = await worker.create({ input_videos: [link], languages: ["it"], ...captioned("No credit") });
  expect(await worker.finish(job)).toMatchObject({ status: "Failed" });
  expect((await readJobVideos(worker.context, job.id))[0]).toMatchObject({
    error_code: "bad_key",
    error_message:
      "The captions could not be translated. Your OpenAI account has no credit left. Add credit, then try again.",
  });
});

it("tries again when the model's response cannot be used", async () => {
  twin.behave((_, nth) => (nth === 1 ? { kind: "malformed" } : { kind: "normal" }));
  const job = await worker.create({ input_videos: [link], languages: ["nl"], ...captioned("Once more") });
  expect(await worker.finish(job)).toMatchObject({ status: "Completed", retry_count: 1 });
});

it.each([
  [{ languages: ["tlh-Cher"] }, "Captions cannot be drawn in"],
  [{ languages: ["bo"] }, "Captions cannot be drawn in Tibetan (bo): no installed font supports its script."],
  [{ subtitle_languages: ["bo"], subtitles_enabled: true }, "Subtitles cannot be drawn in Tibetan (bo)"],
  [{ languages: ["german"] }, "Use language tags such as de, pt-BR or zh-Hant"],
  [{ languages: ["de"], captions_enabled: false }, "Languages apply only to captions, which are off."],
])("rejects %j", async (settings, message) => {
  const request = { input_videos: [link], ...captioned("Hi"), ...settings };
  await expect(worker.create(request)).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining(message) as string,
  });
});

it("rejects languages without a key", async () => {
  await saveServiceKey(worker.context, "openai_key", null);
  await expect(worker.create({ input_videos: [link], languages: ["de"], ...captioned("Hi") })).rejects.toThrow(
    "OpenAI translates captions, but no API key is saved. Enter your OpenAI API key in settings.",
  );
});

it("encodes only what differs: 4 variants in 3 languages share everything without a caption", async () => {
  const source = { path: clip, probe: await probe(await testTools(), clip), revision: "clip" };
  const settings: JobSettings = {
    ...JOB_DEFAULTS,
    ...{ languages: ["de", "fr", "es"], variants_per_video: 4, caption_start_seconds: 1, caption_end_seconds: 2.5 },
    ...captioned("A", "B", "C", "D"),
  };
  const job = { ...settings, id: "job", total_videos: 1, proof_state: null };
  const claim = { job, turns: { caption: 0, track: 0 }, video: { link, clips: null, proof_variants: null } };
  const { wanted, count } = assignWanted(claim, [source.probe]);
  expect(count).toBe(12);
  const requests = toRenderRequests(claim, {
    ...{ clips: [source], names: ["clip"], tracks: new Map(), images: new Map(), assignments: wanted },
    valuesOf: () => ({}) as never,
    translate: (caption, language) => `${caption} ${language}`,
  });
  expect(requests).toHaveLength(1);
  const plan = planRender(requests[0]!);
  // The start, the end, and the middle of each caption.
  expect(plan.stretches).toHaveLength(2 + 12);
  expect(plan.sounds.length).toBeLessThanOrEqual(1);
});
