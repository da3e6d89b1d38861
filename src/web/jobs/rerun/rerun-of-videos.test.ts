import { expect, test } from "vitest";
import { parseCreateJob } from "#contract/jobs/create-job.ts";
import { SPECIFIED_SOURCES } from "#contract/sources/accepted-sources.ts";
import { testJob } from "../test-job.ts";
import { rerunOfVideos } from "./rerun-of-videos.ts";

test("repeats only some videos, with their rows and without samples", () => {
  const links = ["a", "b", "c"].map((id) => `https://drive.google.com/file/d/${id}/view`);
  const rows = links.map((link, i) => ({ link, settings: { segment_duration: i + 1 } }));
  const job = testJob({ input_videos: links, rows, proof_count: 2, proof_pick: "rows", proof_rows: "1, 3" });
  const request = rerunOfVideos(job, [2, 0]);
  expect(request).toMatchObject({ input_videos: [links[0], links[2]], rows: [rows[0], rows[2]], proof_count: 0 });
  expect(parseCreateJob(request, SPECIFIED_SOURCES).ok).toBe(true);
});
