import * as fc from "fast-check";
import { expect, it } from "vitest";
import { assignOutputs, partOf, type Segmentation } from "./assignment.ts";
import { countFiles, countOutputSeconds } from "./count-files.ts";
import { JOB_DEFAULTS, JOB_LIMITS } from "../jobs.ts";

const link = (id: string) => `https://drive.google.com/file/d/${id}/view`;
const names = (most: number) => fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: most });

const videosOf = (...links: string[]) => links.map((each) => ({ link: each, durationSeconds: null }));
const captions = (...custom_captions: string[]) => ({ captions_enabled: true, custom_captions });
const tracks = (...custom_audio_links: string[]) => ({ audio_enabled: true, custom_audio_links });

it("counts differently written links to the same file once", () => {
  const videos = videosOf(link("a"), "https://drive.google.com/open?id=a", link("b"));
  expect(countFiles(JOB_DEFAULTS, videos)).toEqual({ files: 3, different: 2, isExact: true });
});

it("counts identical captions and identical tracks once", () => {
  const count = (settings: object) =>
    countFiles({ ...JOB_DEFAULTS, variants_per_video: 8, ...settings }, videosOf(link("a")));
  expect(count(captions("x", "x", "y"))).toMatchObject({ files: 8, different: 2 });
  expect(count(tracks(link("t"), link("t")))).toMatchObject({ files: 8, different: 1 });
  expect(count({ ...captions("x", "y"), ...tracks(link("t"), link("u")) })).toMatchObject({ different: 4 });
});

it("skips the search for copies in a job above the file limit", () => {
  const files = JOB_LIMITS.outputs + 1;
  expect(countFiles({ ...JOB_DEFAULTS, variants_per_video: files }, videosOf(link("a")))).toEqual({
    files,
    different: files,
    isExact: true,
  });
  expect(countFiles({ ...JOB_DEFAULTS, variants_per_video: 3 }, [])).toEqual({ files: 0, different: 0, isExact: true });
});

it("counts each video with the settings of its row", () => {
  const job = { ...JOB_DEFAULTS, variants_per_video: 2, ...captions("x", "y") };
  const video = { link: link("a"), durationSeconds: 20 };
  const rows = [null, captions("x"), { watermark_text: "a" }, { watermark_text: "b" }, { variants_per_video: 1 }];
  const counted = rows.map((row) => ({ link: video.link, durationSeconds: 20, row }));
  // The variants of the second are copies, and the last is one of the first.
  expect(countFiles(job, counted)).toEqual({ files: 9, different: 6, isExact: true });
  expect(countOutputSeconds(job, [{ ...video, row: { start_seconds: 5, end_seconds: 12 } }])).toBe(14);
  const clips = { segmentation_type: "multiple", segment_duration: 5, end_seconds: 11 } as const;
  expect(countFiles(job, [{ ...video, row: clips }])).toMatchObject({ files: 6 });
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
    start_seconds: fc.constantFrom(0, 2),
    speed: fc.constantFrom(0.5, 1, 1.37, 2),
  });
  fc.assert(
    fc.property(jobs, lengths, ({ videos, start_seconds, speed, ...job }, known) => {
      const { segmentation, variants } = job;
      // An unknown length counts as one clip that differs by variant.
      const lengthOf = (id: string) => known[id] ?? (segmentation?.type === "multiple" ? 5 * speed : 1_000);
      const part = (id: string) => partOf(lengthOf(id), { start_seconds, end_seconds: null }, speed);
      const outputs = videos.flatMap((id, videoIndex) =>
        assignOutputs({
          turns: { caption: videoIndex * variants, track: videoIndex * variants },
          durationSeconds: lengthOf(id),
          part: part(id),
          variants,
          captions: job.captions.length,
          tracks: job.tracks.length,
          segmentation,
          speed,
        }).map(({ window, captionIndex, trackIndex }) => ({
          seconds: (window ? window.endSeconds - window.startSeconds : lengthOf(id)) / speed,
          look: JSON.stringify([id, window, job.captions[captionIndex ?? -1], job.tracks[trackIndex ?? -1]]),
        })),
      );
      const durations = videos.map((id) => known[id] ?? null);
      const settings = {
        ...JOB_DEFAULTS,
        ...captions(...job.captions),
        ...tracks(...job.tracks),
        variants_per_video: variants,
        start_seconds,
        speed,
        segmentation_type: segmentation?.type ?? null,
        segment_duration: segmentation?.segmentSeconds ?? 30,
      };
      const counted = videos.map((id, i) => ({ link: link(id), durationSeconds: durations[i]! }));
      const { files, different, isExact } = countFiles(settings, counted);
      const looks =
        outputs.length > JOB_LIMITS.outputs ? outputs.length : new Set(outputs.map(({ look }) => look)).size;
      expect([files, different]).toEqual([outputs.length, looks]);
      expect(isExact).toBe(segmentation?.type !== "multiple" || !durations.includes(null));
      const seconds = countOutputSeconds(settings, counted);
      const isKnown = !durations.includes(null);
      const expected = outputs.reduce((sum, output) => sum + output.seconds, 0);
      expect(seconds === null).toBe(!isKnown);
      expect(seconds ?? expected).toBeCloseTo(expected);
    }),
  );
});
