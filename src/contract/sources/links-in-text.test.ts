import { describe, expect, it } from "vitest";
import { SPECIFIED_SOURCES } from "./accepted-sources.ts";
import { explainVideoLink } from "./explain-media-link.ts";
import { parseVideoLink, splitLinks } from "./links.ts";
import { hasLink, linksIn } from "./links-in-text.ts";

const A = "https://drive.google.com/file/d/1AbCdEfGhIjKlMnOpQrStUvWxYz012345/view?usp=sharing";
const B = "https://drive.google.com/file/d/1ZzCdEfGhIjKlMnOpQrStUvWxYz012345/view?usp=sharing";
const SHORT = "https://drive.google.com/open?id=1pT9yHcB4n_";
const REEL = "https://www.instagram.com/reel/Cabc/";

describe("several links on a line", () => {
  it.each([
    ["a space", `${A} ${B}`],
    ["a tab", `${A}\t${B}`],
    ["a semicolon", `${A};${B}`],
    ["a semicolon and a space", `${A}; ${B}`],
    ["a bar", `${A} | ${B}`],
    ["nothing", `${A}${B}`],
    ["a zero-width space", `${A}\u200B${B}`],
    ["a no-break space", `${A}\u00A0${B}`],
    ["a full-width comma", `${A}，${B}`],
    ["a line separator", `${A}\u2028${B}`],
    ["list numbers", `1. ${A} 2. ${B}`],
    ["names", `Intro - ${A} Clip two: ${B}`],
    ["angle brackets", `<${A}><${B}>`],
    ["quotes", `"${A}" "${B}"`],
    ["bullets", `• ${A} • ${B}`],
    ["a table's bars", `| ${A} | ${B} |`],
  ])("are separated at %s", (_, text) => {
    expect(linksIn(text)).toEqual([A, B]);
    expect(splitLinks(text)).toEqual([A, B]);
  });

  it("are separated without https://, and after a link that ends with a slash", () => {
    expect(linksIn("drive.google.com/file/d/a/view drive.google.com/file/d/b")).toEqual([
      "https://drive.google.com/file/d/a/view",
      "https://drive.google.com/file/d/b",
    ]);
    expect(linksIn(`${REEL}${REEL}`)).toEqual([REEL, REEL]);
    expect(linksIn(`${SHORT}${A}`)).toEqual([SHORT, A]);
    expect(linksIn(`https://${A}`)).toEqual([A]);
  });

  it("can have different schemes", () => {
    expect(linksIn(`s3://clips/a b.mp4; s3://clips/c.mp4 ${A} http://nas.local/d.mp4`)).toEqual([
      "s3://clips/a b.mp4",
      "s3://clips/c.mp4",
      A,
      "http://nas.local/d.mp4",
    ]);
  });

  it.each([
    "https://files.example/get?url=https://other.example/a.mp4",
    "https://web.archive.org/web/2020/https://other.example/a.mp4",
    "https://files.example/a.mp4#https://other.example",
    "https://drive.google.com/file/d/abc/view?from=https://mail.google.com/",
    "s3://clips/https://other.example/a.mp4",
  ])("are one link if one is part of the other: %s", (link) => {
    expect(linksIn(link)).toEqual([link]);
  });
});

describe("what surrounds a link", () => {
  it.each([
    `\u200B${A}`,
    `\uFEFF${A}\u200B\u200E`,
    `\u2060 ${A} \u00AD`,
    `\u202A${A}\u202C`,
    `  ${A}  `,
    `1. ${A}`,
    `1.${A}`,
    `(12) ${A}`,
    `- ${A}`,
    `• ${A}`,
    `"${A}"`,
    `'${A}'`,
    `“${A}”`,
    `„${A}“`,
    `<${A}>`,
    `(${A})`,
    `\`${A}\``,
    `[Clip](${A})`,
    `**${A}**`,
    `Summer clip - ${A}`,
    `Summer clip: ${A}`,
    `Summer clip\t${A}`,
    `クリップ${A}`,
    `${A}.`,
    `${A};`,
    `${A} -`,
    `1. "${A}",`,
  ])("is taken away: %j", (text) => {
    expect(linksIn(text)).toEqual([A]);
  });

  it.each([
    "https://drive.google.com/file/d/abc_/view",
    "https://drive.google.com/open?id=abc-",
    "https://files.example/clip_(1)",
    "https://files.example/a.mp4?sign=a%2Fb==",
    "https://files.example/My summer clip 1.mp4",
    "https://files.example/My clip.mp4?token=1",
    "https://[::1]:8080/a.mp4",
    "s3://clips/a b (1).mp4",
    "s3://clips/100%#1?.mp4",
    's3://clips/the "best" one.mp4',
  ])("is not taken from a link: %s", (link) => {
    expect(linksIn(link)).toEqual([link]);
  });

  it.each([
    [`${A} summer clip`, "summer clip"],
    [`${A}\tsummer\u200B`, "summer"],
    [`${A};summer`, "summer"],
    [`${A}，夏`, "夏"],
    [`${A} - summer clip`, "- summer clip"],
    [`"${A}" 2`, "2"],
    [`${A} and ${B}`, "and"],
    [`${A} ${"x".repeat(100)}`, `${"x".repeat(60)}…`],
  ])("makes a link invalid if it follows: %j", (text, quoted) => {
    const [link = ""] = linksIn(text);
    expect(parseVideoLink(link, SPECIFIED_SOURCES)).toBeNull();
    expect(explainVideoLink(link)).toBe(`the text after the link is not part of it: "${quoted}"`);
  });

  it("also after an address of a website", () => {
    const accepted = { hosts: ["web" as const], privateSources: [] };
    expect(parseVideoLink("https://files.example/a.mp4 intro.mp4", accepted)).toBeNull();
    expect(parseVideoLink("https://files.example/My clip.mp4", accepted)?.id).toBe(
      "https://files.example/My%20clip.mp4",
    );
  });
});

it("keeps text without a link as one item, and drops empty text", () => {
  expect(linksIn(" not a link ")).toEqual(["not a link"]);
  expect(linksIn("folder/my clip.mp4")).toEqual(["folder/my clip.mp4"]);
  expect(["", " ", "\u200B", "\uFEFF \n"].flatMap(linksIn)).toEqual([]);
  expect(["not a link", "https:/", "clip.mp4"].filter(hasLink)).toEqual([]);
});

it("returns its own results unchanged", () => {
  for (const text of [`1. ${A} hello 2. ${B}; s3://clips/a b`, `<${A}> x`, "https://", "ftp://a/b https://c.example"]) {
    const links = linksIn(text);
    expect(links.flatMap(linksIn)).toEqual(links);
  }
});

it("reads long hostile texts before the test's time is over", () => {
  const texts = ["a", " ", "https://a?", "(https://a", "https://", ")", "s3://a ", "\u200B", ";", "https://a)"];
  for (const text of texts) expect(linksIn(text.repeat(200_000 / text.length))).toBeInstanceOf(Array);
});

// spec 5.1
it.each([
  ["https://drive.google.com/uc?export=download&id=1AbC_d-E", "1AbC_d-E/view"],
  ["https://drive.google.com/uc?id=1AbC&resourcekey=0-xyz", "1AbC/view?resourcekey=0-xyz"],
  ["https://docs.google.com/uc?export=open&id=1AbC", "1AbC/view"],
  ["https://drive.google.com/u/0/uc?id=1AbC&confirm=t", "1AbC/view"],
  ["https://drive.google.com/thumbnail?id=1AbC", "1AbC/view"],
  ["https://drive.usercontent.google.com/download?id=1AbC&export=download", "1AbC/view"],
  ["https://drive.google.com:8443/file/d/1AbC", "1AbC/view"],
])("says which form to paste instead of %s", (link, form) => {
  expect(parseVideoLink(link, SPECIFIED_SOURCES)).toBeNull();
  expect(explainVideoLink(link)).toBe(
    `this form of a Google Drive link is not accepted; use https://drive.google.com/file/d/${form}`,
  );
});
