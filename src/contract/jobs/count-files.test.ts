import * as fc from "fast-check";
import { expect, it } from "vitest";
import { assignOutputs, type Segmentation } from "./assignment.ts";
import { countFiles } from "./count-files.ts";
import { JOB_LIMITS } from "./jobs.ts";

const link = (id: string) => `https://drive.google.com/file/d/${id}/view`;
/** Returns a few names, some repeated. */
const names = (most: number) => fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: most });
const none = { captions: [], tracks: [], segmentation: null };

it("counts differently written links to the same file once", () => {
  const videos = [link("a"), "https://drive.google.com/open?id=a", link("b")];
  expect(countFiles({ ...none, videos, variants: 1 })).toEqual({ files: 3, different: 2, isExact: true });
});

it("counts identical captions and identical tracks once", () => {
  const job = { ...none, videos: [link("a")], variants: 8 };
  expect(countFiles({ ...job, captions: ["x", "x", "y"] })).toMatchObject({ files: 8, different: 2 });
  expect(countFiles({ ...job, tracks: [link("t"), link("t")] })).toMatchObject({ files: 8, different: 1 });
  expect(countFiles({ ...job, captions: ["x", "y"], tracks: [link("t"), link("u")] })).toMatchObject({ different: 4 });
});

it("skips the search for copies in a job above the file limit", () => {
  const files = JOB_LIMITS.outputs + 1;
  expect(countFiles({ ...none, videos: [link("a")], variants: files })).toEqual({
    files,
    different: files,
    isExact: true,
  });
  expect(countFiles({ ...none, videos: [], variants: 3 })).toEqual({ files: 0, different: 0, isExact: true });
});

it("agrees with the assigned outputs of every job", () => {
  const segmentations: Segmentation[] = [
    null,
    { type: "single", segmentSeconds: 5 },
    { type: "multiple", segmentSeconds: 5 },
  ];
  const jobs = fc.record({
    videos: names(6).map((ids) => ids.map(link)),
    variants: fc.integer({ min: 1, max: 12 }),
    captions: names(5),
    tracks: names(4).map((ids) => ids.map(link)),
    segmentation: fc.constantFrom(...segmentations),
  });
  fc.assert(
    fc.property(jobs, fc.integer({ min: 1, max: 4 }), (job, clips) => {
      // "multiple" gets whole clips; "single" a length that gives every variant its own clip.
      const durationSeconds = job.segmentation?.type === "multiple" ? 5 * clips : 1_000;
      const outputs = job.videos.flatMap((video, videoIndex) =>
        assignOutputs({
          videoIndex,
          durationSeconds,
          variants: job.variants,
          captions: job.captions.length,
          tracks: job.tracks.length,
          segmentation: job.segmentation,
        }).map(({ window, captionIndex, trackIndex }) =>
          JSON.stringify([video, window, job.captions[captionIndex ?? -1], job.tracks[trackIndex ?? -1]]),
        ),
      );
      const each = job.segmentation?.type === "multiple" ? clips : 1;
      const { files, different, isExact } = countFiles(job);
      expect([files * each, different * each]).toEqual([outputs.length, new Set(outputs).size]);
      expect(isExact).toBe(job.segmentation?.type !== "multiple");
    }),
  );
});
