import { expect, it } from "vitest";
import { SPECIFIED_SOURCES } from "#contract/sources/accepted-sources.ts";
import { describeBadLinks, readLinks } from "./read-links.ts";

it("names what links must point to, with and without other sources", () => {
  const text = "https://drive.google.com/file/d/abc/view\nhello";
  expect(describeBadLinks(readLinks(text, SPECIFIED_SOURCES))).toBe(
    "Line 2 is not a link to a Google Drive file and will be skipped.",
  );
  expect(describeBadLinks(readLinks(`${text}\nthere`, { ...SPECIFIED_SOURCES, hosts: ["web"] }))).toBe(
    "2 lines are not links to videos from sources that are turned on and will be skipped. The first is line 2.",
  );
});
