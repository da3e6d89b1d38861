import { describe, expect, it } from "vitest";
import {
  completeLink,
  explainLink,
  isDocumentLink,
  parseAudioLink,
  parseVideoLink,
  splitCaptions,
  splitLinks,
} from "./links.ts";
import { SPECIFIED_SOURCES } from "./accepted-sources.ts";
import { libraryLink } from "./hosts/library.ts";

describe("parseVideoLink", () => {
  // spec 5.1
  it.each([
    ["https://drive.google.com/file/d/1x8Qm4-_B0v/view?usp=sharing", "1x8Qm4-_B0v"],
    ["  https://drive.google.com/open?id=1pT9yHcB4n  ", "1pT9yHcB4n"],
    ["https://docs.google.com/document/d/abc_123/edit", "abc_123"],
    ["HTTPS://drive.google.com/file/d/abc", "abc"],
  ])("finds the file id in %s", (link, id) => {
    expect(parseVideoLink(link, SPECIFIED_SOURCES)).toMatchObject({ host: "google-drive", id });
  });

  it("keeps the resource key of an older link", () => {
    const link = parseVideoLink("https://drive.google.com/file/d/abc/view?resourcekey=0-xyz", SPECIFIED_SOURCES);
    expect(link).toEqual({ host: "google-drive", id: "abc", accessKey: "0-xyz" });
  });

  it("parses links to Clipmill's own library", () => {
    expect(parseVideoLink(libraryLink("abc"), SPECIFIED_SOURCES)).toEqual({
      host: "library",
      id: "abc",
      accessKey: null,
    });
  });

  // spec 5.1, 5.3
  it.each([
    "",
    "not a link",
    "http://drive.google.com/file/d/abc",
    "ftp://drive.google.com/file/d/abc",
    "https://drive.google.com.evil.example/file/d/abc",
    "https://evil.example/file/d/abc",
    "https://user:pass@drive.google.com/file/d/abc",
    "https://drive.google.com:8443/file/d/abc",
    "https://drive.google.com/open?id=../../etc",
    "https://drive.google.com/file/d/",
    "https://drive.google.com/drive/folders/abc",
    "https://www.instagram.com/reel/abc/",
  ])("rejects %j", (link) => {
    expect(parseVideoLink(link, SPECIFIED_SOURCES)).toBeNull();
  });
});

describe("parseAudioLink", () => {
  // spec 5.3
  it.each(["p/Cabc", "reel/Cabc/", "reels/Cabc", "reels/audio/448120973/"])("accepts Instagram's /%s", (path) => {
    expect(parseAudioLink(`https://www.instagram.com/${path}?igsh=1`, SPECIFIED_SOURCES)).toEqual({
      host: "instagram",
      id: path.replace(/\/$/, ""),
      accessKey: null,
    });
  });

  // spec 5.1, 5.3
  it.each(["https://www.instagram.com/", "https://www.instagram.com/someone", "http://www.instagram.com/reel/abc"])(
    "rejects %s",
    (link) => {
      expect(parseAudioLink(link, SPECIFIED_SOURCES)).toBeNull();
    },
  );
});

describe("completeLink", () => {
  it.each([
    ["drive.google.com/file/d/a", "https://drive.google.com/file/d/a"],
    [" Drive.Google.com/open?id=a", " https://Drive.Google.com/open?id=a"],
    ["instagram.com/reel/a", "https://instagram.com/reel/a"],
  ])("adds https:// to %j", (text, completed) => {
    expect(completeLink(text)).toBe(completed);
  });

  it.each([
    "https://drive.google.com/a",
    "http://drive.google.com/a",
    "drive.google.com.evil.example/a",
    "a caption",
    "",
  ])("leaves %j unchanged", (text) => {
    expect(completeLink(text)).toBe(text);
  });
});

describe("isDocumentLink", () => {
  it.each(["document/d/a/edit", "spreadsheets/d/a", "presentation/d/a", "document/u/0/d/a"])(
    "is true for docs.google.com/%s",
    (path) => {
      expect(isDocumentLink(`https://docs.google.com/${path}`)).toBe(true);
    },
  );

  it.each([
    "https://docs.google.com/file/d/a/edit",
    "https://docs.google.com/open?id=a",
    "https://drive.google.com/file/d/a/view",
    "nonsense",
  ])("is false for %s", (link) => {
    expect(isDocumentLink(link)).toBe(false);
  });
});

// spec 5.4
it("splits links at newlines and commas, trims them and drops empty items", () => {
  expect(splitLinks(" a ,b,\n\n c ,, ")).toEqual(["a", "b", "c"]);
});

it("keeps commas in captions", () => {
  expect(splitCaptions("Hello, world\n\n Second ")).toEqual(["Hello, world", "Second"]);
});

describe("S3 links", () => {
  const accepted = { hosts: ["s3"] as const, privateSources: [] };

  it.each([
    ["s3://clips/a.mp4", "clips/a.mp4"],
    [" S3://my.clips-2/raw/a b (1).mp4 ", "my.clips-2/raw/a b (1).mp4"],
    // Keys are as written, not percent-encoded.
    ["s3://clips/100%#1?.mp4", "clips/100%#1?.mp4"],
    ["s3://clips/../%2e%2e/a", "clips/../%2e%2e/a"],
    ["s3://clips//a", "clips//a"],
  ])("finds bucket and key in %j", (link, id) => {
    expect(parseVideoLink(link, accepted)).toEqual({ host: "s3", id, accessKey: null });
    expect(parseAudioLink(link, accepted)).toMatchObject({ host: "s3", id });
  });

  it.each([
    "s3://clips",
    "s3://clips/",
    "s3://Clips/a",
    "s3://k:s@clips/a",
    "s3://clips:80/a",
    "s3://a/b",
    "s3://clips/raw/",
  ])("rejects %j", (link) => {
    expect(parseVideoLink(link, accepted)).toBeNull();
    expect(explainLink(link)).toMatch(/^not a (?:file|bucket): write s3:/);
  });

  it("are invalid until they are turned on", () => {
    expect(parseVideoLink("s3://clips/a.mp4", SPECIFIED_SOURCES)).toBeNull();
    expect(explainLink("s3://clips/a.mp4")).toBeNull();
  });
});
