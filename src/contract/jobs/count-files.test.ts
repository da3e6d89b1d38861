import * as fc from "fast-check";
import { expect, it } from "vitest";
import { assignOutputs, type Segmentation } from "./assignment.ts";
import { countFiles, countOutputSeconds } from "./count-files.ts";
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

it("agrees with the assigned outputs of every job, also before the lengths are known", () => {
  const segmentations: Segmentation[] = [
    null,
    { type: "single", segmentSeconds: 5 },
    { type: "multiple", segmentSeconds: 5 },
  ];
  // One length per source, some shorter than a clip, some with a last clip that is too short.
  const lengths = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom(3, 5, 10, 10.5, 11, 17, 1_000));
  const jobs = fc.record({
    videos: names(6),
    variants: fc.integer({ min: 1, max: 12 }),
    captions: names(5),
    tracks: names(4).map((ids) => ids.map(link)),
    segmentation: fc.constantFrom(...segmentations),
  });
  fc.assert(
    fc.property(jobs, lengths, ({ videos, ...job }, known) => {
      const { segmentation, variants } = job;
      // An unknown length counts as one clip that differs by variant.
      const lengthOf = (id: string) => known[id] ?? (segmentation?.type === "multiple" ? 5 : 1_000);
      const outputs = videos.flatMap((id, videoIndex) =>
        assignOutputs({
          videoIndex,
          durationSeconds: lengthOf(id),
          variants,
          captions: job.captions.length,
          tracks: job.tracks.length,
          segmentation,
        }).map(({ window, captionIndex, trackIndex }) => ({
          seconds: window ? window.endSeconds - window.startSeconds : lengthOf(id),
          look: JSON.stringify([id, window, job.captions[captionIndex ?? -1], job.tracks[trackIndex ?? -1]]),
        })),
      );
      const durations = videos.map((id) => known[id] ?? null);
      const { files, different, isExact } = countFiles({ ...job, videos: videos.map(link), durations });
      expect([files, different]).toEqual([outputs.length, new Set(outputs.map(({ look }) => look)).size]);
      expect(isExact).toBe(segmentation?.type !== "multiple" || !durations.includes(null));
      const seconds = countOutputSeconds(durations, variants, segmentation);
      const isKnown = !durations.includes(null);
      const expected = outputs.reduce((sum, output) => sum + output.seconds, 0);
      expect(seconds === null).toBe(!isKnown);
      expect(seconds ?? expected).toBeCloseTo(expected);
    }),
  );
});
