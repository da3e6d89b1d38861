import { expect, it } from "vitest";
import { type FailureSubject, writeFailureReport } from "./failure-report.ts";
import { testOutput, testVideo } from "./test-rows.ts";

const subject: FailureSubject = {
  jobId: "job-id",
  jobName: "Monday\nbatch",
  videoId: "video-id",
  position: 2,
  videoName: "beach.mp4",
};
const failure = {
  error_message: "The video file is damaged or incomplete.",
  error_code: "damaged",
  error_step: "probe",
  error_tail: "moov atom not found\nInvalid data",
} as const;

it("lists all known values of a failed video", () => {
  const times = { started_at: "2026-11-20T21:12:00.000Z", ended_at: "2026-11-20T21:12:30.000Z" };
  expect(writeFailureReport("1.2.3", subject, testVideo({ ...failure, ...times, attempts: 4 }), null)).toBe(
    `Clipmill: 1.2.3
Job: Monday batch (job-id)
Video: 3, beach.mp4 (video-id)
Attempts: 4
Started: 2026-11-20T21:12:00.000Z
Failed: 2026-11-20T21:12:30.000Z
Step: probe
Code: damaged
Error: The video file is damaged or incomplete.
Last lines of output:
moov atom not found
Invalid data`,
  );
});

it("names the failed output, and leaves out values missing from rows of earlier versions", () => {
  const output = testOutput({ id: "output-id", name: "003-v1.mp4", error_message: "Track 1: No sound." });
  expect(writeFailureReport("1.2.3", { ...subject, videoName: null }, output, output)).toBe(
    `Clipmill: 1.2.3
Job: Monday batch (job-id)
Video: 3 (video-id)
Output: 003-v1.mp4 (output-id)
Failed: 2026-11-20T21:12:30.000Z
Error: Track 1: No sound.`,
  );
});

it("contains no link to a file", () => {
  const video = testVideo({ ...failure, link: "https://drive.google.com/file/d/secret/view?resourcekey=1" });
  const output = testOutput({ ...failure, media_url: "/downloads/outputs/1?signature=secret" });
  expect(writeFailureReport("1", subject, video, null)).not.toContain("secret");
  expect(writeFailureReport("1", subject, output, output)).not.toContain("secret");
});
