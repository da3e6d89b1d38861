import { SPECIFIED_SOURCES } from "#contract/sources/accepted-sources.ts";
import { describe, expect, it } from "vitest";
import { parseAudioLink, parseVideoLink } from "#contract/sources/links.ts";
import { linkChecker } from "./check-links.ts";
import { findRepeats } from "./link-report.tsx";
import { explainAudioLink, explainVideoLink } from "#contract/sources/explain-media-link.ts";

const FIRST = "https://drive.google.com/file/d/first/view";
const SECOND = "https://drive.google.com/open?id=second";

const checkVideoLinks = linkChecker(parseVideoLink, explainVideoLink);
const checkVideos = (text: string) => checkVideoLinks(text, SPECIFIED_SOURCES);

it("reads only the lines that the text before did not have", () => {
  const read: string[] = [];
  const check = linkChecker((link, accepted) => (read.push(link), parseVideoLink(link, accepted)), explainVideoLink);
  check(`${FIRST}\n${SECOND}`, SPECIFIED_SOURCES);
  const checked = check(`nonsense\n${FIRST}\n${SECOND}`, SPECIFIED_SOURCES);
  expect(read).toEqual([FIRST, SECOND, "nonsense"]);
  expect(checked.entries.map(({ line }) => line)).toEqual([1, 2, 3]);
  check(FIRST, { ...SPECIFIED_SOURCES });
  expect(read).toHaveLength(4);
});

it("keeps valid links in order and reports other lines, counting blank ones", () => {
  expect(checkVideos(`${FIRST}\n\nnonsense\n  ${SECOND}  `)).toMatchObject({
    valid: [FIRST, SECOND],
    typed: [FIRST, "nonsense", SECOND],
    entries: [
      { link: FIRST, line: 1, isValid: true },
      { link: "nonsense", line: 3, isValid: false },
      { link: SECOND, line: 4, isValid: true },
    ],
    problems: [{ line: 3, reason: "not a link" }],
    documents: [],
  });
});

it("finds duplicate links but keeps the first and all invalid lines", () => {
  const checked = checkVideos(`${FIRST}\nnonsense\nnonsense\nhttps://drive.google.com/open?id=first\n${SECOND}`);
  expect(findRepeats(checked.entries, [])).toEqual([{ index: 3, line: 4, firstLine: 1 }]);
});

it("finds rows with the same link, name, settings and passed columns, and no others", () => {
  const checked = checkVideos(["nonsense", FIRST, FIRST, FIRST, SECOND, FIRST, FIRST, FIRST].join("\n"));
  const rows = [
    { link: FIRST, settings: { custom_captions: ["One"] }, pass: { sku: "1", shop: "a" } },
    { link: FIRST, settings: { custom_captions: ["Two"] }, pass: { sku: "1", shop: "a" } },
    { link: FIRST, settings: { custom_captions: ["One"] }, pass: { sku: "2", shop: "a" } },
    { link: SECOND, settings: { custom_captions: ["One"] }, pass: { sku: "1", shop: "a" } },
    // The switch follows from the captions, and columns are in another order.
    {
      link: FIRST,
      settings: { captions_enabled: true, custom_captions: ["One"] },
      pass: { shop: "a", sku: "1" },
    },
    { link: FIRST, name: "Shoes", settings: { custom_captions: ["One"] }, pass: { sku: "1", shop: "a" } },
    { link: FIRST },
  ];
  expect(findRepeats(checked.entries, rows)).toEqual([{ index: 5, line: 6, firstLine: 2 }]);
});

it("completes a link without https://", () => {
  expect(checkVideos("drive.google.com/file/d/first/view").valid).toEqual([FIRST]);
});

// spec 5.1
it("accepts a document as a valid link and reports its line", () => {
  const link = "https://docs.google.com/document/d/abc/edit";
  expect(checkVideos(`${FIRST}\n${link}`)).toMatchObject({ valid: [FIRST, link], documents: [{ line: 2 }] });
});

it("reports a file linked in two spellings and keeps both", () => {
  const checked = checkVideos(`${FIRST}\n${SECOND}\nhttps://drive.google.com/open?id=first`);
  expect(checked.valid).toHaveLength(3);
  expect(findRepeats(checked.entries, [])).toEqual([{ index: 2, line: 3, firstLine: 1 }]);
});

it("reports several links of one line under that line", () => {
  const checked = checkVideos(`${FIRST}, nope ,${SECOND}`);
  expect(checked.valid).toEqual([FIRST, SECOND]);
  expect(checked.problems).toEqual([{ line: 1, reason: "not a link" }]);
});

it.each([" ", "\t", ";", " 2. "])("reads links separated by %j, and quotes text that is not part of one", (between) => {
  const checked = checkVideos(`1. ${FIRST}${between}\u200B${SECOND}\n${FIRST}${between}hello`);
  expect(checked.valid).toEqual([FIRST, SECOND]);
  expect(checked.problems).toEqual([
    { line: 2, reason: expect.stringMatching(/^the text after the link is not part of it: ".*hello"$/) as string },
  ]);
});

it("rejects a link above the length limit", () => {
  const checked = checkVideos(`https://drive.google.com/file/d/${"x".repeat(2_000)}`);
  expect(checked.valid).toEqual([]);
  expect(checked.problems[0]?.reason).toBe("longer than 2,000 characters");
});

// spec 5.3
it("accepts Instagram links for music only", () => {
  const reel = "https://www.instagram.com/reel/abc";
  expect(checkVideos(reel).valid).toEqual([]);
  const checked = linkChecker(parseAudioLink, explainAudioLink)(`${reel}\n${reel}/`, SPECIFIED_SOURCES);
  expect(checked.valid).toHaveLength(2);
  expect(findRepeats(checked.entries, [])).toEqual([{ index: 1, line: 2, firstLine: 1 }]);
});

describe("reasons for invalid links", () => {
  // spec 5.1
  it.each([
    ["http://drive.google.com/file/d/abc", "links must start with https://"],
    ["drive.google.com/file/d/abc", "not a link"],
    ["https://drive.google.com/drive/folders/abc", "this is a folder; add links to its files instead"],
    ["https://drive.google.com/file/d/", "this link doesn't point to a file"],
    ["https://example.com/clip.mp4", "not a link to a Google Drive file; other websites are turned off in Settings"],
    ["https://me:secret@example.com/clip.mp4", "not a link to a Google Drive file"],
    ["https://", "not a link"],
  ])("%s: %s", (link, reason) => {
    expect(explainVideoLink(link)).toBe(reason);
  });

  it("names the sources of music", () => {
    expect(explainAudioLink("https://example.com/song.mp3")).toBe(
      "not a Google Drive file or an Instagram post, reel or audio link; other websites are turned off in Settings",
    );
  });
});
