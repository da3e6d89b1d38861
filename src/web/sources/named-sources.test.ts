import { expect, test } from "vitest";
import type { LibraryFile } from "#contract/calls.ts";
import { namedSources } from "./named-sources.ts";

const sea: LibraryFile = {
  id: "sea",
  name: "Moonlit sea.mp4",
  kind: "video",
  link: "https://clipmill.local/file/d/sea",
  durationSeconds: 4,
  sizeBytes: 1,
  sha256: null,
  isSample: true,
  thumbnailUrl: null,
  mediaUrl: "/downloads/library/sea",
  tags: [],
  createdAt: "2026-01-01T00:00:00Z",
  usage: { jobs: 0, unfinishedJobs: 0, savedIn: 0, isInCaptionLab: false },
};
const drive = "https://drive.google.com/file/d/1x8/view";

test("names each library file once, in the order of the links, and marks a deleted one", () => {
  const links = [drive, `${sea.link}/view`, "https://clipmill.local/file/d/gone", sea.link];
  expect(namedSources(links, [sea], false)).toEqual([
    { link: `${sea.link}/view`, name: "Moonlit sea.mp4", file: sea },
    { link: "https://clipmill.local/file/d/gone", name: "Deleted library file", file: null },
  ]);
});

test("names every music track, including those outside the library", () => {
  expect(namedSources([drive, sea.link, drive], [sea], true).map(({ name }) => name)).toEqual([
    "Drive file 1x8",
    "Moonlit sea.mp4",
  ]);
});
