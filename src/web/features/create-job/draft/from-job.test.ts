import { SPECIFIED_SOURCES } from "#contract/sources/accepted-sources.ts";
import { expect, it } from "vitest";
import { parseCreateJob } from "#contract/jobs/create-job.ts";
import { rerunRequest } from "../../../jobs/rerun/rerun-request.ts";
import { testJob } from "../../../jobs/test-job.ts";
import { formFromJob } from "./from-job.ts";
import { EMPTY_GENERATOR } from "../captions/generator-form.ts";
import { toCreateRequest } from "./job-form.ts";

const SET = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** Every field differs from the empty form. */
const job = testJob({
  input_videos: ["https://drive.google.com/file/d/a/view", "https://drive.google.com/file/d/b/view"],
  captions_enabled: true,
  caption_set_id: SET,
  custom_captions: ["One", "Two"],
  caption_style: "box",
  caption_position: "top",
  caption_size: "large",
  audio_enabled: true,
  audio_set_id: SET,
  audio_mode: "mix",
  watermark_enabled: true,
  watermark_text: "@clipmill",
  variants_per_video: 3,
  video_gain: 0.2,
  music_gain: 0.4,
  loop_audio: false,
  segment_duration: 12.5,
  segmentation_type: "multiple",
  quality: "high",
  download_enabled: false,
  output_folder: "spring",
});

it("copies every setting of the job", () => {
  const request = toCreateRequest(formFromJob(job, EMPTY_GENERATOR));
  expect({ ...request, job_name: "" }).toEqual({ ...rerunRequest(job), job_name: "" });
  expect(request.job_name).toBe(job.job_name);
  expect(parseCreateJob(request, SPECIFIED_SOURCES).ok).toBe(true);
});
