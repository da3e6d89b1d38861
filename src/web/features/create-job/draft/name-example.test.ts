import { expect, it } from "vitest";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { nameSource } from "../../../sources/named-sources.ts";
import { nameExample } from "./name-example.ts";
import { EMPTY_FORM, type JobForm, readForm } from "./job-form.ts";

const LINK = "https://drive.google.com/file/d/1x8Qm4/view";

function exampleOf(namePattern: string, fields: Partial<JobForm> = {}, library?: { id: string; name: string }[]) {
  const form = { ...EMPTY_FORM, videoLinks: LINK, namePattern, ...fields };
  return nameExample(form, readForm(form), (link) => nameSource(link, library));
}

it("is the name of the first row's first file", () => {
  const settings = { custom_captions: ["Big sale"], format: "1:1" };
  const rows = JSON.stringify([{ link: LINK, settings, pass: { sku: "A/1" } }]);
  expect(exampleOf("{row.sku}-{caption:3}-{format}", { rows })).toEqual({ name: "A_1-Big-1x1.mp4" });
  expect(exampleOf("{job} {caption}", { jobName: "Drop", captionsEnabled: true, captions: "Hello\nYou" })).toEqual({
    name: "Drop Hello.mp4",
  });
});

it("is the usual name without a pattern or a link", () => {
  expect(exampleOf("")).toEqual({ name: "001-v1-Drive file 1x8Qm4.mp4" });
  expect(exampleOf(" ", { videoLinks: "", segmentation: "multiple" })).toEqual({ name: "001-v1-s01-video.mp4" });
});

it("says what is wrong with a pattern", () => {
  expect(exampleOf("{row.sku}")).toEqual({ problem: 'The name pattern uses the column "sku", which no row has' });
});

it("has the names of library files", () => {
  const library = [
    { id: "a1", name: "Beach 1/2.mp4" },
    { id: "m1", name: "Song.m4a" },
  ];
  const fields = { videoLinks: libraryLink("a1"), audioEnabled: true, audioLinks: libraryLink("m1") };
  expect(exampleOf("", fields, library)).toEqual({ name: "001-v1-Beach 1_2.mp4" });
  expect(exampleOf("{source} {track}", fields, library)).toEqual({ name: "Beach 1_2 Song.mp4" });
});
