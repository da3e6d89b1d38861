import { SPECIFIED_SOURCES } from "#contract/sources/accepted-sources.ts";
import { expect, test } from "vitest";
import { parseCreateJob } from "#contract/jobs/create-job.ts";
import { rerunRequest } from "./rerun-request.ts";
import { testJob } from "../test-job.ts";

// spec 4.5.2
test("copies every setting and marks the name as a rerun", () => {
  const job = testJob({
    segmentation_type: "single",
    segment_duration: 12,
    watermark_enabled: true,
    watermark_text: "@mill",
  });
  const parsed = parseCreateJob(rerunRequest(job), SPECIFIED_SOURCES);
  expect(parsed).toMatchObject({ ok: true });
  const { job_name: name, ...settings } = rerunRequest(job);
  expect(name).toBe("Harbor hotel walkthroughs (Rerun)");
  expect(job).toMatchObject(settings);
});

// spec 4.5.2
test("names an unnamed job and keeps a long name within the limit", () => {
  expect(rerunRequest(testJob({ job_name: "" })).job_name).toBe("Rerun Job");
  const long = rerunRequest(testJob({ job_name: "a".repeat(200) })).job_name;
  expect(long).toHaveLength(200);
  expect(long).toMatch(/ \(Rerun\)$/);
});
