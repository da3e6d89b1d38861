import type { DriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PreviewResponse, SilencesResponse } from "#contract/calls.ts";
import type { Layer } from "#contract/jobs/outputs/layers.ts";
import { previewSchema } from "#operations/previews/draw-preview.ts";
import { longestBlockMs } from "#tests/support/faults/longest-block-ms.ts";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { makeRecording } from "#tests/support/media/sound/make-speech.ts";
import { makePng } from "#tests/support/media/make-image.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { boxOfPixels, framePixels, pixelAt, shareOfDifferentPixels } from "#tests/support/media/measure.ts";
import { runTestFfmpeg, testTools } from "#tests/support/media/media-tools.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";
import { openPreviews, type Previews } from "./open-previews.ts";
import { openSourceCache } from "../sources/source-cache.ts";

let worker: TestWorker;
let previews: Previews;
let root: string;

beforeAll(async () => {
  worker = await openTestWorker();
  root = path.join(worker.folder, "previews");
  const { context, folder, drawer } = worker;
  previews = await openPreviews(
    {
      context,
      tools: await testTools(),
      drawer,
      sources: await openSourceCache(path.join(folder, "cache"), 1024 ** 3),
      log: pino({ level: "silent" }),
    },
    root,
  );
});
afterAll(async () => {
  await previews.stop();
  await worker[Symbol.asyncDispose]();
});

/** A request of one byte is for the headers. */
function isDownload({ path: asked, range }: DriveTwin["requests"][number]): boolean {
  return asked === "/download" && range === null;
}

type Input = Record<string, string | number | boolean | null | Layer[]>;

function drawOnce(input: Input, sessionId = "one"): Promise<PreviewResponse> {
  return previews.draw(previewSchema.parse(input), { sessionId, signal: new AbortController().signal });
}

/** Retries while the video is downloading, like the screen. */
async function draw(input: Input, sessionId?: string): Promise<PreviewResponse> {
  const preview = await drawOnce(input, sessionId);
  return preview.isPending ? draw(input, sessionId) : preview;
}

async function share(id: string, clip: Parameters<typeof makeClip>[1] = {}): Promise<{ link: string; file: string }> {
  const file = path.join(worker.folder, `${id}.mp4`);
  await makeClip(file, { width: 360, height: 640, seconds: 2, toneHz: null, ...clip });
  worker.twin.add({ id, name: `${id}.mp4`, mimeType: "video/mp4", path: file });
  return { link: worker.twin.links(id), file };
}

async function save({ picture }: PreviewResponse, name: string): Promise<string> {
  const file = path.join(worker.folder, name);
  await writeFile(file, Buffer.from(picture.replace("data:image/jpeg;base64,", ""), "base64"));
  return file;
}

const LOOKS = [
  { style: "outline", position: "bottom", size: "medium" },
  { style: "box", position: "top", size: "large" },
  { style: "shadow", position: "middle", size: "small" },
] as const;
const OTHER_LOOK = {
  caption_font: "condensed",
  caption_weight: "medium",
  caption_style: "box",
  caption_color: "#102030",
  caption_box_color: "#ffd60ac0",
  caption_y: 0.3,
  caption_highlight: true,
} as const;

describe("a preview", () => {
  it.each(LOOKS)("in $style, $position, $size shows the same pixels as the render", async (captionLook) => {
    // Converted colors: JPEG places chroma differently from H.264, visible on the hard edges of a test picture.
    const clip = { outputOptions: ["-colorspace", "smpte170m"] };
    const { link, file } = await share(`look-${captionLook.style}`, clip);
    const caption = "Wait for the pour 😀 at the end";
    const preview = await draw({
      input_video: link,
      caption,
      caption_style: captionLook.style,
      caption_position: captionLook.position,
      caption_size: captionLook.size,
      watermark_text: "@clipmill",
    });
    expect(preview).toMatchObject({ width: 360, height: 640, isOnVideo: true, reason: null, isPending: false });
    const folder = path.join(worker.folder, `render-${captionLook.style}`);
    const input = { source: file, captions: [caption], captionLook, watermark: "@clipmill" };
    const [rendered] = await renderClip(folder, input);
    const shown = await framePixels(await save(preview, `${captionLook.style}.jpg`), 0);
    const made = await framePixels(rendered!.path, 1);
    expect([shown.width, shown.height]).toEqual([made.width, made.height]);
    expect(shareOfDifferentPixels(shown, made, 40)).toBeLessThan(0.005);
    // Control: a frame without texts differs.
    const bare = await framePixels(await save(await draw({ input_video: link }), "bare.jpg"), 0);
    expect(shareOfDifferentPixels(bare, made, 40)).toBeGreaterThan(0.01);
  });

  it("with layers shows the same pixels as the render, and where each is", async () => {
    const { link, file } = await share("layered", { seconds: 0.4, color: "gray" });
    const layers: Layer[] = [
      { kind: "text", text: "Only 9 €", style: "box", position: "top-left", size: 0.08 },
      { kind: "text", text: "" },
      { kind: "text", text: "A line that is broken into two", x: 0.5, y: 0.6, opacity: 0.5 },
    ];
    const preview = await draw({ input_video: link, layers });
    const [rendered] = await renderClip(path.join(worker.folder, "render-layered"), { source: file, layers });
    const shown = await framePixels(await save(preview, "layered.jpg"), 0);
    const made = await framePixels(rendered!.path, 0.2);
    expect(shareOfDifferentPixels(shown, made, 40)).toBeLessThan(0.005);
    const bare = await framePixels(await save(await draw({ input_video: link }), "unlayered.jpg"), 0);
    expect(shareOfDifferentPixels(bare, made, 40)).toBeGreaterThan(0.01);
    const [first, second, third] = preview.layers;
    expect(second).toBeNull();
    expect(first!.left).toBeCloseTo(preview.safe_area.left, 2);
    expect(first!.top).toBeCloseTo(preview.safe_area.top, 2);
    expect(third!.bottom).toBeLessThanOrEqual(preview.safe_area.bottom + 0.001);
  });

  it("in another font, colors and height shows the same pixels as the render, and where the caption is", async () => {
    const { link, file } = await share("other-look", { seconds: 0.4, outputOptions: ["-colorspace", "smpte170m"] });
    const caption = "Wait for *the pour*";
    const preview = await draw({ input_video: link, caption, ...OTHER_LOOK });
    const input = { source: file, captions: [caption], settings: OTHER_LOOK };
    const [rendered] = await renderClip(path.join(worker.folder, "render-other-look"), input);
    const shown = await framePixels(await save(preview, "other-look.jpg"), 0);
    const made = await framePixels(rendered!.path, 0.2);
    expect(shareOfDifferentPixels(shown, made, 40)).toBeLessThan(0.005);
    const { top, bottom, highest, lowest } = preview.caption!;
    expect((top + bottom) / 2).toBeCloseTo(0.3);
    expect([highest, lowest]).toEqual([0.12, expect.closeTo(0.82 - (0.055 * 360) / 640)]);
    const plain = await framePixels(await save(await draw({ input_video: link, caption }), "plain-look.jpg"), 0);
    expect(shareOfDifferentPixels(plain, made, 40)).toBeGreaterThan(0.02);
  });

  it("in another format, for a platform, shows the same pixels as the render", async () => {
    const clip = { width: 640, height: 360, seconds: 0.4, outputOptions: ["-colorspace", "smpte170m"] };
    const { link, file } = await share("format", clip);
    const settings = { format: "4:5", fit: "blur", platform: "reels" } as const;
    const preview = await draw({ input_video: link, caption: "Hello there", watermark_text: "@clipmill", ...settings });
    expect(preview).toMatchObject({ width: 1080, height: 1350, isOnVideo: true });
    const input = { source: file, captions: ["Hello there"], watermark: "@clipmill", settings };
    const [rendered] = await renderClip(path.join(worker.folder, "render-format"), input);
    const small = path.join(worker.folder, "format.png");
    await runTestFfmpeg(["-ss", "0.2", "-i", rendered!.path, "-vf", "scale=540:-2", "-frames:v", "1", small]);
    const shown = await framePixels(await save(preview, "format.jpg"), 0);
    const made = await framePixels(small, 0);
    expect([shown.width, shown.height]).toEqual([made.width, made.height]);
    expect(shareOfDifferentPixels(shown, made, 40)).toBeLessThan(0.01);
  });

  it("with an image shows the same pixels as the render; without the file it says why", async () => {
    const { link, file } = await share("marked", { outputOptions: ["-colorspace", "smpte170m"] });
    const { db, storage } = worker.context;
    const logo = makePng(60, 40, [220, 40, 60, 255]);
    await writeFile(path.join(worker.folder, "logo.png"), logo);
    await storage.put("library/logo", path.join(worker.folder, "logo.png"));
    const facts = { size_bytes: 1, duration_seconds: 0, is_sample: false, storage_key: "library/logo" };
    await db
      .insertInto("library_files")
      .values({ id: "logo", name: "logo.png", kind: "image", ...facts })
      .execute();
    const settings = { watermark_position: "right", watermark_opacity: 0.7, watermark_scale: 0.3 } as const;
    const marked = { input_video: link, watermark_text: "@us", watermark_image: libraryLink("logo"), ...settings };
    const preview = await draw(marked);
    await writeFile(path.join(worker.folder, "same.png"), logo);
    const input = { source: file, watermark: "@us", watermarkImage: path.join(worker.folder, "same.png"), settings };
    const [rendered] = await renderClip(path.join(worker.folder, "render-marked"), input);
    const made = await framePixels(rendered!.path, 1);
    const shown = await framePixels(await save(preview, "marked.jpg"), 0);
    expect(shareOfDifferentPixels(shown, made, 40)).toBeLessThan(0.005);
    const gone = await draw({ ...marked, watermark_image: libraryLink("gone") });
    expect(gone).toMatchObject({ isOnVideo: true, reason: "The watermark image is no longer in the library." });
    const bare = await framePixels(await save(gone, "gone.jpg"), 0);
    expect(shareOfDifferentPixels(bare, made, 40)).toBeGreaterThan(0.02);
  });

  it("keeps the colors of a source in another color space, as the render does", async () => {
    const { link, file } = await share("red", { color: "0xc02030", outputOptions: ["-colorspace", "smpte170m"] });
    const shown = await framePixels(await save(await draw({ input_video: link, caption: "x" }), "red.jpg"), 0);
    const [rendered] = await renderClip(path.join(worker.folder, "render-red"), { source: file, captions: ["x"] });
    expect(shareOfDifferentPixels(shown, await framePixels(rendered!.path, 1), 12)).toBeLessThan(0.005);
  });

  it("shows the frame at a time, and the last one after the end", async () => {
    const picture = "color=red:s=180x320:r=30:d=1[a];color=blue:s=180x320:r=30:d=1[b];[a][b]concat";
    const { link } = await share("two-colors", { picture });
    for (const [seconds, color] of [
      [0.5, "red"],
      [1.5, "blue"],
      [60, "blue"],
    ] as const) {
      const preview = await draw({ input_video: link, at_seconds: seconds });
      expect(pixelAt(await framePixels(await save(preview, "at.jpg"), 0), 90, 160)[color]).toBeGreaterThan(200);
    }
  });

  it("of a 4K landscape video is a small picture with its aspect ratio", async () => {
    const { link } = await share("wide", { width: 3840, height: 2160, seconds: 0.3 });
    const preview = await draw({ input_video: link, caption: "Wide" });
    expect(preview).toMatchObject({ width: 3840, height: 2160, isOnVideo: true });
    const { width, height } = await framePixels(await save(preview, "wide.jpg"), 0);
    expect([width, height]).toEqual([540, 304]);
    expect(preview.picture.length).toBeLessThan(200_000);
  });

  it("without a video uses a plain portrait background and the same fonts", async () => {
    const preview = await draw({ caption: "Only words" });
    expect(preview).toMatchObject({ width: 1080, height: 1920, isOnVideo: false, reason: null, isPending: false });
    const frame = await framePixels(await save(preview, "plain.jpg"), 0);
    expect([frame.width, frame.height]).toEqual([540, 960]);
    const white = boxOfPixels(frame, ({ red, green, blue }) => Math.min(red, green, blue) > 230)!;
    expect(white.top).toBeGreaterThan(480);
    expect(white.left).toBeGreaterThan(540 * 0.08 - 2);
  });

  it.each([
    ["private", { kind: "notShared" }, /shared/i],
    ["gone", { kind: "notFound" }, /./],
    ["busy", { kind: "quotaExceeded" }, /^Google Drive has blocked this file/],
  ] as const)("of a video that is %s says why, on the plain background", async (id, behaviour, reason) => {
    worker.twin.add({ id, name: id, mimeType: "video/mp4", bytes: Buffer.from("x"), behaviour });
    const preview = await draw({ input_video: worker.twin.links(id), caption: "x" });
    expect(preview).toMatchObject({ isOnVideo: false, isPending: false });
    expect(preview.reason).toMatch(reason);
  });

  it.each([
    ["a text", "Nothing to see here. ".repeat(500), "This file is not a video."],
    ["a playlist", "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n", "This file is not a video."],
  ])("of %s labeled as a video gives the reason", async (id, content, reason) => {
    const plain = id.replaceAll(" ", "-");
    worker.twin.add({ id: plain, name: "x.mp4", mimeType: "video/mp4", bytes: Buffer.from(content) });
    expect(await draw({ input_video: worker.twin.links(plain) })).toMatchObject({ isOnVideo: false, reason });
  });

  it("of the worst caption allowed stops the event loop for less than 50 ms", async () => {
    await draw({ caption: "x" });
    const caption = "\u2067a".repeat(1_000);
    const stops: number[] = [];
    for (let run = 0; run < 3; run++) stops.push(await longestBlockMs(() => draw({ caption, caption_size: "small" })));
    expect(Math.min(...stops)).toBeLessThan(50);
  });

  it("of an invalid link gives the reason", async () => {
    const preview = await draw({ input_video: "ftp://example.com/x" });
    expect(preview.reason).toBe("This is not a link to a Google Drive file.");
    const turnedOff = await draw({ input_video: "https://example.com/x" });
    expect(turnedOff.reason).toBe('Turn on "Web addresses" in Settings to use this link.');
  });

  it("fetches its video once for many requests", async () => {
    const { link } = await share("once");
    const before = worker.twin.requests.length;
    for (const caption of ["a", "ab", "abc"]) await draw({ input_video: link, caption });
    expect(worker.twin.requests.slice(before).filter(isDownload)).toHaveLength(1);
  });

  it("is canceled by a newer one of the same session, not by another session's", async () => {
    const { link } = await share("turns", { seconds: 0.5 });
    const older = draw({ input_video: link, caption: "older" });
    const others = draw({ input_video: link, caption: "other" }, "two");
    const newer = draw({ input_video: link, caption: "newer" });
    await expect(older).rejects.toMatchObject({ code: "cancelled" });
    expect(await newer).toMatchObject({ isOnVideo: true });
    expect(await others).toMatchObject({ isOnVideo: true });
  });

  it("does not wait for a slow download: the plain background stands in, and the video follows", async () => {
    const { file } = await share("slow-source");
    worker.twin.add({ id: "gated", name: "x.mp4", mimeType: "video/mp4", path: file, behaviour: { kind: "gated" } });
    const link = worker.twin.links("gated");
    const early = await drawOnce({ input_video: link, caption: "x" });
    expect(early).toMatchObject({ isOnVideo: false, isPending: true });
    expect(early.reason).toMatch(/still downloading/);
    worker.twin.release("gated");
    expect(await draw({ input_video: link, caption: "x" })).toMatchObject({ isOnVideo: true, isPending: false });
  });

  it("that is no longer needed cancels its download", async () => {
    const { file } = await share("left-source");
    worker.twin.add({ id: "left", name: "x.mp4", mimeType: "video/mp4", path: file, behaviour: { kind: "gated" } });
    const link = worker.twin.links("left");
    const kept = await readdir(path.join(root, "scratch"));
    const waiting = draw({ input_video: link });
    await worker.twin.waitForRequest(({ path }) => path.includes("left") || path.includes("download"));
    const next = draw({ caption: "x" });
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    await next;
    await expect.poll(() => readdir(path.join(root, "scratch"))).toEqual(kept);
  });

  it("of another moment of a video keeps its download", async () => {
    const { file } = await share("moments-source");
    worker.twin.add({ id: "moments", name: "x.mp4", mimeType: "video/mp4", path: file, behaviour: { kind: "gated" } });
    const link = worker.twin.links("moments");
    const before = worker.twin.requests.length;
    const downloads = () => worker.twin.requests.slice(before).filter(isDownload);
    const first = draw({ input_video: link, at_seconds: 0.5 });
    await expect.poll(downloads).toHaveLength(1);
    const second = draw({ input_video: link, at_seconds: 1.5 });
    await expect(first).rejects.toMatchObject({ code: "cancelled" });
    worker.twin.release("moments");
    expect(await second).toMatchObject({ isOnVideo: true });
    expect(downloads()).toHaveLength(1);
  });

  it("whose still was evicted is drawn on a new one, with a video and without", async () => {
    const { link } = await share("evicted");
    const inputs = [{ input_video: link, caption: "x" }, { caption: "x" }];
    for (const input of inputs) await draw(input);
    const stills = path.join(root, "stills");
    for (const name of await readdir(stills)) await rm(path.join(stills, name));
    expect(await draw(inputs[0]!)).toMatchObject({ isOnVideo: true, reason: null });
    expect(await draw(inputs[1]!)).toMatchObject({ isOnVideo: false, reason: null });
  });

  it("asks for its video once for several moments", async () => {
    const { link } = await share("scrubbed", { seconds: 2 });
    const before = worker.twin.requests.length;
    for (const at_seconds of [0.2, 0.7, 1.3]) await draw({ input_video: link, at_seconds });
    // One request for its metadata, one for its content.
    expect(worker.twin.requests.length - before).toBeLessThanOrEqual(2);
  });

  it("leaves only its stills and four videos behind", async () => {
    await draw({ caption: "x" });
    const scratch = await readdir(path.join(root, "scratch"));
    expect(scratch.filter((name) => !name.startsWith("source-"))).toEqual([]);
    expect(scratch.length).toBeLessThanOrEqual(4);
    expect((await readdir(path.join(root, "stills"))).every((name) => /^[0-9a-f]{64}\.mp4$/.test(name))).toBe(true);
  });
});

async function measure(input: Omit<Parameters<Previews["measureSilences"]>[0], "start_seconds" | "end_seconds">) {
  const request = { start_seconds: 0, end_seconds: null, ...input };
  let preview: SilencesResponse;
  do preview = await previews.measureSilences(request, { signal: new AbortController().signal });
  while (preview.seconds === null);
  return preview;
}

describe("the check of silences", () => {
  it("returns how much a job would cut, and fetches and analyzes the video once for all settings", async () => {
    const file = path.join(worker.folder, "spoken.mp4");
    const { phrases, seconds } = await makeRecording(file, { language: "de", pauses: [2], noiseDb: -24 });
    worker.twin.add({ id: "spoken", name: "spoken.mp4", mimeType: "video/mp4", path: file });
    const link = worker.twin.links("spoken");
    const silence = seconds - phrases.reduce((sum, one) => sum + one.endSeconds - one.startSeconds, 0);

    const before = worker.twin.requests.length;
    const tight = await measure({ input_video: link, cut_silences_ms: 500, silence_padding_ms: 0 });
    expect(tight.seconds).toBeCloseTo(seconds, 0);
    expect(tight.cut_seconds! / silence).toBeGreaterThan(0.85);
    expect(tight.cut_seconds! / silence).toBeLessThan(1);
    const loose = await measure({ input_video: link, cut_silences_ms: 500, silence_padding_ms: 500 });
    expect(tight.cut_seconds! - loose.cut_seconds!).toBeCloseTo(phrases.length, 0);
    const long = await measure({ input_video: link, cut_silences_ms: 5_000, silence_padding_ms: 0 });
    expect(long).toMatchObject({ cut_seconds: 0, has_speech: true });
    expect(worker.twin.requests.slice(before).filter(isDownload)).toHaveLength(1);
  });

  it("says that a video has no speech, and why one cannot be used", async () => {
    const { link } = await share("wordless", { toneHz: 440 });
    const settings = { cut_silences_ms: 500, silence_padding_ms: 150 };
    expect(await measure({ input_video: link, ...settings })).toMatchObject({ cut_seconds: 0, has_speech: false });
    const absent = measure({ input_video: worker.twin.links("nobody"), ...settings });
    await expect(absent).rejects.toMatchObject({ code: "source_not_found" });
  });
});
