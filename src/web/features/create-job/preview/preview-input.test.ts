import { expect, it } from "vitest";
import { JOB_DEFAULTS, pickSettings, previewSettingNames } from "#contract/job-settings/setting-values.ts";
import { EMPTY_FORM, readForm } from "../draft/job-form.ts";
import { inputOfVideo, toPreviewRequest, toPreviewInput } from "./preview-input.ts";

const FIRST = { caption: 0, video: 0 };

const inputOf = (changes: Partial<typeof EMPTY_FORM>) => {
  const form = { ...EMPTY_FORM, ...changes };
  return toPreviewInput(form, readForm(form));
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
