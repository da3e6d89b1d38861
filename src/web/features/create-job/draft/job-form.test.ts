import { SPECIFIED_SOURCES } from "#contract/sources/accepted-sources.ts";
import { describe, expect, it } from "vitest";
import { parseCreateJob } from "#contract/jobs/create-job.ts";
import { firstProblem } from "#contract/jobs/job-rules.ts";
import { pickSettings, SETTING_NAMES, settingsWhere } from "#contract/job-settings/setting-values.ts";
import { EMPTY_FORM, toCreateRequest, type JobForm } from "./job-form.ts";

const LINK = "https://drive.google.com/file/d/abc/view";

function fill(change: Partial<JobForm>): JobForm {
  return { ...EMPTY_FORM, jobName: "A job", videoLinks: LINK, ...change };
}

function problemOf(change: Partial<JobForm>): string | undefined {
  return firstProblem(toCreateRequest(fill(change)), SPECIFIED_SOURCES)?.title;
}

describe("the request of a form", () => {
  // spec 9.6, 9.7, 9.8, 9.9, 9.11, 9.12, 9.13
  it("starts from the defaults of the specification", () => {
    const request = toCreateRequest(fill({}));
    expect(Object.keys(request).toSorted()).toEqual(SETTING_NAMES.toSorted());
    // Settings that were added later are stored as JSON.
    const specified = settingsWhere(({ stored }) => stored === "column");
    expect(pickSettings(request, specified)).toEqual({
      job_name: "A job",
      input_videos: [LINK],
      captions_enabled: false,
      caption_set_id: null,
      custom_captions: [],
      caption_style: "outline",
      caption_position: "bottom",
      caption_size: "medium",
      audio_enabled: false,
      audio_set_id: null,
      custom_audio_links: [],
      audio_mode: "replace",
      watermark_enabled: false,
      watermark_text: null,
      variants_per_video: 1,
      video_gain: 0.7,
      music_gain: 1,
      loop_audio: true,
      segment_duration: 30,
      segmentation_type: null,
      quality: "standard",
      download_enabled: true,
      output_folder: null,
    });
  });

  it("has the watermark's image only while the watermark is on; a text is not needed", () => {
    const image = { watermarkImage: "https://clipmill.local/file/d/logo", watermarkPosition: "bottom-left" } as const;
    expect(toCreateRequest(fill({ ...image, watermarkEnabled: true }))).toMatchObject({
      ...{ watermark_enabled: true, watermark_text: null },
      ...{ watermark_image: image.watermarkImage, watermark_position: "bottom-left" },
    });
    expect(toCreateRequest(fill(image))).toMatchObject({ watermark_enabled: false, watermark_image: null });
    expect(problemOf({ watermarkEnabled: true, watermarkImage: LINK })).toBe("Invalid Watermark Image");
  });

  it("includes caption look and quality", () => {
    const chosen = { captionStyle: "box", captionPosition: "top", captionSize: "large", quality: "high" } as const;
    expect(toCreateRequest(fill(chosen))).toMatchObject({
      caption_style: "box",
      caption_position: "top",
      caption_size: "large",
      quality: "high",
    });
  });

  it("leaves out invalid links", () => {
    const request = toCreateRequest(
      fill({ videoLinks: `nope\n${LINK}`, audioEnabled: true, audioLinks: `${LINK}\nnope` }),
    );
    expect(request.input_videos).toEqual([LINK]);
    expect(request.custom_audio_links).toEqual([LINK]);
  });

  it("leaves out text of disabled sections", () => {
    const request = toCreateRequest(
      fill({ captions: "Hello", audioLinks: LINK, watermarkText: "@me", segmentSeconds: "5" }),
    );
    expect(request).toMatchObject({
      custom_captions: [],
      custom_audio_links: [],
      watermark_enabled: false,
      watermark_text: null,
      segment_duration: 30,
    });
  });

  // spec 5.7, 9.12
  it("parses numbers as if their fields had lost focus", () => {
    const request = toCreateRequest(fill({ variants: "x", segmentation: "single", segmentSeconds: "" }));
    expect(request).toMatchObject({ variants_per_video: 1, segment_duration: 10, segmentation_type: "single" });
  });

  it.each([
    ["", null],
    ["-14", -14],
    ["-18.5", -18.5],
    ["-90", -30],
    ["0", -10],
    ["loud", null],
  ])("parses the loudness %j as %j, within its limits", (loudnessLufs, loudness_lufs) => {
    expect(toCreateRequest(fill({ loudnessLufs }))).toMatchObject({ loudness_lufs });
  });

  it("includes the ids of the saved sets in use, and a caption set's captions as saved", () => {
    const set = { id: "0f8fad5b-d9cb-469f-a165-70867728950e", name: "A", items: ["One\nline", "Two"], created_at: "" };
    const form = fill({
      captionsEnabled: true,
      captions: "One\nline\nTwo",
      captionSetId: set.id,
      audioEnabled: true,
      audioLinks: LINK,
      audioSetId: set.id,
    });
    expect(toCreateRequest(form, set)).toMatchObject({
      caption_set_id: set.id,
      custom_captions: ["One\nline", "Two"],
      audio_set_id: set.id,
      custom_audio_links: [LINK],
    });
    expect(toCreateRequest({ ...form, captionsEnabled: false, audioEnabled: false }, set)).toMatchObject({
      caption_set_id: null,
      audio_set_id: null,
    });
  });

  // spec 7.3
  it("is accepted by the server", () => {
    const request = toCreateRequest(
      fill({ captionsEnabled: true, captions: "One\nTwo", watermarkEnabled: true, watermarkText: " " }),
    );
    expect(parseCreateJob(request, SPECIFIED_SOURCES)).toMatchObject({ ok: true, input: { watermark_enabled: false } });
  });
});

// spec 5.5
it.each([
  [{ jobName: " ", videoLinks: "" }, "Job Name Required"],
  [{ videoLinks: " \n" }, "Videos Required"],
  [{ videoLinks: "nope" }, "Invalid Links"],
  [{ captionsEnabled: true, audioEnabled: true }, "Captions Required"],
  [{ audioEnabled: true }, "Audio Required"],
  [{ audioEnabled: true, audioLinks: "nope" }, "Invalid Audio Links"],
])("rejects %j with %s", (change, title) => {
  expect(problemOf(change)).toBe(title);
});

it("does not count invalid links toward the limit", () => {
  const videoLinks = ["nope", ...Array.from({ length: 1_000 }, () => LINK)].join("\n");
  expect(problemOf({ videoLinks })).toBeUndefined();
});
