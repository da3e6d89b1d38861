import { expect, it } from "vitest";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { linksOf, readVideos, writeVideos } from "./lab-videos.ts";

const DRIVE = "https://drive.google.com/file/d/abc/view";

it("keeps the text as it was typed, beside any files", () => {
  for (const text of ["", "\n", DRIVE, `${DRIVE}\n`, `\n ${DRIVE}\n\nnonsense`]) {
    for (const files of [[], [libraryLink("one")], [libraryLink("one"), libraryLink("two")]]) {
      expect(readVideos(writeVideos({ text, files }))).toEqual({ text, files });
    }
  }
});

it("takes library links out of the text, each file once, and puts files last", () => {
  const videos = readVideos(`${libraryLink("one")}\n${DRIVE}\n ${libraryLink("one")}/view\n${libraryLink("two")}`);
  expect(videos).toEqual({ text: DRIVE, files: [libraryLink("one"), libraryLink("two")] });
  expect(linksOf(videos)).toEqual([DRIVE, libraryLink("one"), libraryLink("two")]);
});
