import { expect, it } from "vitest";
import type { LibraryFile } from "#contract/calls.ts";
import type { RowSettings } from "#contract/job-settings/job-settings.ts";
import { SPECIFIED_SOURCES } from "#contract/sources/accepted-sources.ts";
import { parseVideoLink } from "#contract/sources/links.ts";
import { linkChecker } from "../links/check-links.ts";
import { explainVideoLink } from "#contract/sources/explain-media-link.ts";
import { describeFacts, describeMove, describeStates } from "./describe-rows.ts";
import { linksToCheck, readRows, sortRows } from "./read-rows.ts";
import { pendingVideo, readyVideo } from "./test-video.ts";

const [A, B, C] = ["a", "b", "c"].map((id) => `https://drive.google.com/file/d/${id}/view`) as [string, string, string];
const FOLDER = "https://drive.google.com/drive/folders/many";
const SEA = "https://clipmill.local/file/d/sea";
const sea: LibraryFile = {
  id: "sea",
  name: "Moonlit sea.mp4",
  kind: "video",
  link: SEA,
  durationSeconds: 4,
  sizeBytes: 900_000,
  sha256: null,
  isSample: true,
  tags: [],
  createdAt: "2026-11-01T00:00:00.000Z",
  usage: { jobs: 0, unfinishedJobs: 0, savedIn: 0, isInCaptionLab: false },
  thumbnailUrl: "/sea.jpg",
  mediaUrl: "/sea",
};

const read = (...links: string[]) => linkChecker(parseVideoLink, explainVideoLink)(links.join("\n"), SPECIFIED_SOURCES);
const checksOf = (...videos: ReturnType<typeof readyVideo>[]) => new Map(videos.map((video) => [video.link, video]));

const describeCheck = (changes: Parameters<typeof readyVideo>[1]) =>
  describeFacts(readRows(read(A), checksOf(readyVideo(A, changes)), undefined, true)[0]!).replaceAll("\u00a0", " ");

it("shows each valid link in order, and other lines only once they prove to be folders", () => {
  const files = [{ link: B, name: "b.mp4", size_bytes: 1 }];
  const links = read(A, "nonsense", FOLDER, A);
  expect(readRows(links, new Map(), undefined, true).map(({ key, state }) => [key, state])).toEqual([
    [`1 ${A}`, "checking"],
    [`2 ${A}`, "checking"],
  ]);
  const rows = readRows(links, checksOf(readyVideo(FOLDER, { ok: false, files }), readyVideo(A)), undefined, true);
  expect(rows.map(({ video, line, state }) => [video, line, state])).toEqual([
    [0, 1, "ready"],
    [null, 3, "folder"],
    [1, 4, "ready"],
  ]);
  expect(describeStates(rows)).toBe("2 ready · 1 folder");
});

it("shows a library file's facts before its check, and a problem with its sentence", () => {
  const problem = { code: "not_shared", message: "This file is not shared." } as const;
  const checks = checksOf(readyVideo(A, { state: "problem", ok: false, problem }), pendingVideo(B));
  const [first, second, third] = readRows(read(SEA, A, B), checks, [sea], true);
  expect(describeFacts(first!)).toBe("0:04 · 900 kB");
  expect(first).toMatchObject({ name: "Moonlit sea.mp4", thumbnailUrl: "/sea.jpg", state: "checking" });
  expect(second).toMatchObject({ state: "problem", problem: "This file is not shared." });
  expect(third).toMatchObject({ state: "checking", name: "Drive file b" });
  expect(readRows(read(B), new Map(), [], false)[0]!.state).toBe("unknown");
});

it("shows unusable sound as a problem only where a job uses it", () => {
  const sound_problem = { code: "unsupported_codec", message: "The sound uses TrueHD." } as const;
  const checks = checksOf(readyVideo(A, { sound_problem }));
  const stateOf = (music: Parameters<typeof readRows>[5], settings?: RowSettings) =>
    readRows(read(A), checks, undefined, true, settings && [{ link: A, settings }], music)[0]!;
  expect(stateOf(undefined)).toMatchObject({ state: "problem", problem: "The sound uses TrueHD." });
  expect(stateOf({ audio_enabled: true, audio_mode: "mix" }).state).toBe("problem");
  const replaced = { audio_enabled: true, audio_mode: "replace" } as const;
  expect(stateOf(replaced)).toMatchObject({ state: "ready", problem: null });
  expect(stateOf(replaced, { audio_mode: "mix" }).state).toBe("problem");
  expect(stateOf(undefined, { custom_audio_links: [B] }).state).toBe("ready");
});

it("describes length, size, shape and sound", () => {
  expect(describeCheck({})).toBe("0:24 · 12.0 MB · Portrait, 1080 × 1920 · Sound");
  expect(describeCheck({ width: 1_920, height: 1_080, has_sound: false })).toBe(
    "0:24 · 12.0 MB · Landscape, 1920 × 1080 · No sound",
  );
  expect(describeCheck({ size_bytes: null, width: 1, height: 1 })).toBe("0:24 · Square, 1 × 1 · Sound");
});

it("sorts by name as people do, and by length with unknown ones last", () => {
  const checks = checksOf(
    readyVideo(A, { name: "clip 10.mp4", duration_seconds: 5 }),
    readyVideo(B, { name: "Clip 9.mp4", duration_seconds: null }),
    readyVideo(C, { name: "beach.mp4", duration_seconds: 60 }),
  );
  const rows = readRows(read(A, B, C), checks, undefined, true);
  const sorted = (order: Parameters<typeof sortRows>[1]) => sortRows(rows, order).map((key) => key.slice(2));
  expect(sorted("name")).toEqual([C, B, A]);
  expect(sorted("shortest")).toEqual([A, C, B]);
  expect(sorted("longest")).toEqual([C, A, B]);
  expect(describeMove([rows[1]!], rows)).toBe("Clip 9.mp4 moved to position 2 of 3.");
  expect(describeMove(rows, rows)).toBe("3 videos moved.");
});

it("sends each address once, up to the limits", () => {
  const links = read(A, "nonsense", A, "http://example.com/a.mp4", FOLDER, "s3://bucket/clips/", B);
  const limits = { videos: 1_000, linkCharacters: 2_000 };
  expect(linksToCheck(links, limits)).toEqual([A, FOLDER, "s3://bucket/clips/", B]);
  expect(linksToCheck(links, { ...limits, videos: 1 })).toEqual([A]);
  expect(linksToCheck(links, { ...limits, linkCharacters: 20 })).toEqual(["s3://bucket/clips/"]);
});

// spec 2.17.9
it("checks the first 1,000 links of a longer list, and says how many are not checked", () => {
  const links = read(...Array.from({ length: 1_002 }, (_, index) => `https://drive.google.com/file/d/f${index}/view`));
  const asked = linksToCheck(links);
  expect(asked).toHaveLength(1_000);
  const rows = readRows(links, checksOf(...asked.map((link) => readyVideo(link))), undefined, true);
  expect(describeStates(rows)).toBe("1,000 ready · 2 not checked");
});
