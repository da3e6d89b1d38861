import { expect, test } from "vitest";
import { parseCreateJob } from "#contract/jobs/create-job.ts";
import type { JobOutput, JobVideo } from "#contract/jobs/jobs.ts";
import { SPECIFIED_SOURCES } from "#contract/sources/accepted-sources.ts";
import { testJob } from "../../../jobs/test-job.ts";
import { remakeRequest, remakeRows } from "./remake-request.ts";

const link = (id: string) => `https://drive.google.com/file/d/${id}/view`;
const job = testJob({
  job_name: "Spring",
  input_videos: [link("a"), link("b")],
  variants_per_video: 2,
  segmentation_type: "single",
  segment_duration: 10,
  captions_enabled: true,
  custom_captions: ["One", "Two", "Three"],
  audio_enabled: true,
  custom_audio_links: [link("m"), link("n")],
  rows: [
    { link: link("a") },
    {
      link: link("b"),
      pass: { sku: "7" },
      settings: { format: "1:1", custom_captions: ["Own"], captions_enabled: true, variants_per_video: 1 },
    },
  ],
});
const videos = [
  { id: "a", position: 0, link: link("a"), duration_seconds: 25 },
  { id: "b", position: 1, link: link("b"), duration_seconds: 12 },
] as JobVideo[];
const output = (video_id: string, variant: number) => ({ video_id, variant, segment: 0 }) as JobOutput;
const rejected = [output("a", 1), output("b", 0)];
const remake = (change: Parameters<typeof remakeRows>[3]["change"], captions: string[] = []) =>
  remakeRows(job, videos, rejected, { change, captions });

test("repeats each file as one row, with its own part, caption and track, and what its row said", () => {
  expect(remake("none")).toEqual([
    {
      link: link("a"),
      settings: {
        start_seconds: 15,
        end_seconds: 25,
        captions_enabled: true,
        custom_captions: ["Two"],
        audio_enabled: true,
        custom_audio_links: [link("n")],
      },
    },
    {
      link: link("b"),
      pass: { sku: "7" },
      settings: {
        format: "1:1",
        start_seconds: 0,
        end_seconds: 10,
        captions_enabled: true,
        custom_captions: ["Own"],
        audio_enabled: true,
        custom_audio_links: [link("n")],
      },
    },
  ]);
});

test("changes one thing, and leaves out files that have nothing else", () => {
  expect(remake("caption").map(({ settings }) => settings?.custom_captions)).toEqual([["One"]]);
  expect(remake("track").map(({ settings }) => settings?.custom_audio_links)).toEqual([[link("m")], [link("m")]]);
  expect(remake("captions", ["New"]).map(({ settings }) => settings?.custom_captions)).toEqual([["New"], ["New"]]);
  expect(remake("captions")).toEqual([]);
  expect(remake("part").map(({ settings }) => [settings?.start_seconds, settings?.end_seconds])).toEqual([
    [5, 15],
    [2, 12],
  ]);
});

test("is a request that the server accepts, one file per row", () => {
  const request = remakeRequest(job, remake("caption"));
  const parsed = parseCreateJob(request, SPECIFIED_SOURCES);
  expect(parsed).toMatchObject({
    ok: true,
    input: { job_name: "Spring (Again)", variants_per_video: 1, segmentation_type: null, input_videos: [link("a")] },
  });
});
