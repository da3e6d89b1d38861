import { expect, test } from "vitest";
import type { LibraryFile } from "#contract/calls.ts";
import { allTags, shownFiles, type LibraryView } from "./shown-files.ts";

function file(name: string, differences: Partial<LibraryFile>): LibraryFile {
  return {
    ...{ id: name, name, kind: "video", link: "", durationSeconds: 1, sizeBytes: 1, sha256: null, isSample: false },
    ...{ thumbnailUrl: null, mediaUrl: "", tags: [], createdAt: "2026-01-01T00:00:00Z" },
    ...{ usage: { jobs: 0, unfinishedJobs: 0, savedIn: 0, isInCaptionLab: false } },
    ...differences,
  };
}
const files = [
  file("clip 10.mp4", { durationSeconds: 9, tags: ["Summer", "B roll"] }),
  file("Clip 9.mp4", { sizeBytes: 5, tags: ["summer"], createdAt: "2026-03-01T00:00:00Z" }),
  file("song.mp3", { kind: "audio", durationSeconds: 99, createdAt: "2026-02-01T00:00:00Z" }),
];
const show = (view: Partial<LibraryView>) =>
  shownFiles(files, { search: "", kind: null, sort: "newest", ...view }).map(({ name }) => name);

test.each([
  [{}, ["Clip 9.mp4", "song.mp3", "clip 10.mp4"]],
  [{ sort: "name" }, ["Clip 9.mp4", "clip 10.mp4", "song.mp3"]],
  [{ sort: "length" }, ["song.mp3", "clip 10.mp4", "Clip 9.mp4"]],
  [{ sort: "size" }, ["Clip 9.mp4", "clip 10.mp4", "song.mp3"]],
  [{ kind: "audio" }, ["song.mp3"]],
  [{ search: " SUMMER clip " }, ["Clip 9.mp4", "clip 10.mp4"]],
  [{ search: "roll" }, ["clip 10.mp4"]],
  [{ search: "nothing" }, []],
] as const)("shows %j", (view, names) => expect(show(view)).toEqual(names));

test("lists each tag once, the most used first", () => {
  expect(allTags(files)).toEqual(["Summer", "B roll"]);
});
