import { expect, it } from "vitest";
import { JOB_DEFAULTS, pickSettings, previewSettingNames } from "#contract/job-settings/setting-values.ts";
import { EMPTY_FORM, readForm } from "../draft/job-form.ts";
import { inputOfVideo, toPreviewRequest, toPreviewInput } from "./preview-input.ts";

const FIRST = { caption: 0, video: 0 };

const inputOf = (changes: Partial<typeof EMPTY_FORM>) => {
  const form = { ...EMPTY_FORM, ...changes };
  return toPreviewInput(form, readForm(form), (link) => `${link}.mp4`);
};

it("requests nothing without a video or text", () => {
  expect(toPreviewRequest(inputOf({}), FIRST)).toBeNull();
});

it("requests one valid video, the chosen caption and the watermark in a job's fields", () => {
  const request = inputOf({
    videoLinks: "nonsense\nhttps://clipmill.local/file/d/a\nhttps://clipmill.local/file/d/b",
    captionsEnabled: true,
    captions: "One\nTwo",
    captionPosition: "top",
    watermarkEnabled: true,
    watermarkText: " @me ",
  });
  expect(toPreviewRequest(request, { caption: 1, video: 0 })).toEqual({
    ...pickSettings(JOB_DEFAULTS, previewSettingNames()),
    input_video: "https://clipmill.local/file/d/a",
    at_seconds: null,
    caption: "Two",
    caption_style: "outline",
    caption_position: "top",
    caption_size: "medium",
    watermark_text: "@me",
    layers: [],
  });
  expect(toPreviewRequest(request, { caption: 0, video: 1 })).toMatchObject({
    input_video: "https://clipmill.local/file/d/b",
    caption: "One",
  });
});

it("shows the watermark's image alone, and only while the watermark is on", () => {
  const image = { watermarkImage: "https://clipmill.local/file/d/logo", watermarkScale: 0.4 };
  expect(toPreviewRequest(inputOf({ ...image, watermarkEnabled: true }), FIRST)).toMatchObject({
    ...{ input_video: null, caption: null, watermark_text: null },
    ...{ watermark_image: image.watermarkImage, watermark_scale: 0.4 },
  });
  expect(toPreviewRequest(inputOf(image), FIRST)).toBeNull();
});

it("shows the moment of the source that plays at the time, at the video's speed", () => {
  const links = ["https://clipmill.local/file/d/a", "https://clipmill.local/file/d/b"];
  const scrubber = { atSeconds: 4, isShown: true };
  const at = (form: Partial<typeof EMPTY_FORM>, video: number) =>
    toPreviewRequest(inputOf(form), { caption: 0, video, scrubber })?.at_seconds;
  const rows = JSON.stringify([{ link: links[0] }, { link: links[1], settings: { speed: 0.5 } }]);
  const form = { videoLinks: links.join("\n"), speed: "1.5" };
  expect([0, 1].map((video) => at({ ...form, rows }, video))).toEqual([6, 2]);
  const slots = JSON.stringify([
    { name: "Hook", clips: [{ link: links[0], speed: 2 }] },
    { name: "Body", clips: [{ link: links[1] }] },
  ]);
  expect([0, 1].map((video) => at({ ...form, slots }, video))).toEqual([8, 6]);
});

it("draws the video alone at a time without the caption", () => {
  const request = inputOf({ captionsEnabled: true, captions: "One", captionEndSeconds: "3" });
  expect(request.timing).toMatchObject({ caption_end_seconds: 3 });
  expect(toPreviewRequest(request, { ...FIRST, scrubber: { atSeconds: 4, isShown: false } })).toMatchObject({
    at_seconds: 4,
    caption: null,
  });
});

it("leaves out captions while they are off", () => {
  const request = inputOf({ videoLinks: "https://clipmill.local/file/d/a", captions: "One" });
  expect(toPreviewRequest(request, FIRST)).toMatchObject({ caption: null, watermark_text: null });
});

// spec 2.17.7
it("shows a video with its own captions, look and watermark", () => {
  const [a, b] = ["a", "b"].map((id) => `https://clipmill.local/file/d/${id}`) as [string, string];
  const own = { custom_captions: ["Own"], format: "1:1", watermark_text: "@own" } as const;
  const input = inputOf({
    videoLinks: `${a}\n${b}`,
    captions: "Shared",
    captionsEnabled: true,
    rows: JSON.stringify([{ link: b, settings: own }]),
  });
  expect(inputOfVideo(input, 0)).toBe(input);
  expect(toPreviewRequest(inputOfVideo(input, 1), { caption: 0, video: 1 })).toMatchObject({
    ...{ input_video: b, caption: "Own", format: "1:1", watermark_text: "@own" },
  });
});

it("fills in the layers' fields for the shown video and caption, and keeps the places of empty layers", () => {
  const layers = [
    { kind: "text", text: "{row.price} {caption} {part.name} {position}" },
    { kind: "image", image: "{row.logo}" },
  ];
  const links = ["a", "b"].map((id) => `https://clipmill.local/file/d/${id}`);
  const rows = [
    { link: links[0], pass: { price: "8" } },
    { link: links[1], pass: { price: "9", logo: "https://clipmill.local/file/d/logo" } },
  ];
  const request = inputOf({
    videoLinks: links.join("\n"),
    rows: JSON.stringify(rows),
    captionsEnabled: true,
    captions: "One\nTwo",
    layers: JSON.stringify(layers),
  });
  expect(toPreviewRequest(request, FIRST)!.layers).toEqual([
    { kind: "text", text: `8 One ${links[0]} 001` },
    { kind: "image", image: "" },
  ]);
  expect(toPreviewRequest(request, { caption: 1, video: 1 })!.layers).toEqual([
    { kind: "text", text: `9 Two ${links[1]} 002` },
    { kind: "image", image: rows[1]!.pass.logo },
  ]);
});
