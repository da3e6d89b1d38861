import { describe, expect, it } from "vitest";
import { explainLink, isDocumentLink, linkKey, parseAudioLink, parseLink } from "./links.ts";
import { parseFolderLink, parseVideoLink, splitCaptions, splitLinks } from "./links.ts";
import { SPECIFIED_SOURCES } from "./accepted-sources.ts";
import { completeLink } from "./links-in-text.ts";
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

describe("addresses of websites", () => {
  const accepted = { hosts: ["web" as const], privateSources: ["nas.local:8080", "10.0.0.5:443"] };

  it.each([
    ["https://files.example/a%20b.mp4?token=1#t=5", "https://files.example/a%20b.mp4?token=1"],
    ["HTTPS://FILES.Example:443/A.mp4", "https://files.example/A.mp4"],
    ["https://files.example:8443/a.mp4", "https://files.example:8443/a.mp4"],
    ["https://bücher.example/ä.mp4", "https://xn--bcher-kva.example/%C3%A4.mp4"],
    ["https://93.184.215.14/a.mp4", "https://93.184.215.14/a.mp4"],
    ["http://nas.local:8080/a.mp4", "http://nas.local:8080/a.mp4"],
    ["http://NAS.local:8080/b/../a.mp4", "http://nas.local:8080/a.mp4"],
    ["https://10.0.0.5/a.mp4", "https://10.0.0.5/a.mp4"],
  ])("%s is accepted where they are turned on", (link, id) => {
    expect(parseVideoLink(link, accepted)).toEqual({ host: "web", id, accessKey: null });
    expect(parseAudioLink(link, accepted)).toEqual(parseVideoLink(link, accepted));
  });

  it.each([
    "http://files.example/a.mp4",
    "http://nas.local/a.mp4",
    "http://nas.local:8081/a.mp4",
    "http://10.0.0.5/a.mp4",
    "https://me:secret@files.example/a.mp4",
    "https://me@files.example/a.mp4",
    "http://me@nas.local:8080/a.mp4",
    "ftp://files.example/a.mp4",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:video/mp4;base64,AAAA",
    "//files.example/a.mp4",
    "files.example/a.mp4",
    "https://",
    "https://exa mple/a.mp4",
    // Addresses of another host are never read as files of a website.
    "https://drive.google.com/drive/folders/abc",
    "https://drive.google.com:8443/file/d/abc",
    "http://drive.google.com/file/d/abc",
    "https://www.instagram.com/someone",
    "https://clipmill.local/a.mp4",
  ])("%j is not", (link) => {
    expect(parseVideoLink(link, accepted)).toBeNull();
  });

  it("are rejected where they are turned off, except private sources", () => {
    const off = { ...accepted, hosts: [] };
    expect(parseVideoLink("https://files.example/a.mp4", off)).toBeNull();
    expect(parseVideoLink("http://nas.local:8080/a.mp4", off)).not.toBeNull();
  });

  it("are the same file in every spelling of an address, but not of its query", () => {
    const keys = ["https://A.example/b.mp4", "https://a.example:443/b.mp4#x", "https://a.example/b.mp4?v=2"].map(
      (link) => linkKey(parseLink(link)!),
    );
    expect(new Set(keys).size).toBe(2);
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

  it("are folders if they end with a slash", () => {
    expect(parseFolderLink("s3://clips/raw/a b/", accepted)).toMatchObject({ host: "s3", id: "clips/raw/a b/" });
    expect(parseFolderLink("s3://clips/", accepted)).toMatchObject({ id: "clips/" });
    expect(["s3://clips", "s3://Clips/", "s3://clips/a"].map((link) => parseFolderLink(link, accepted))).toEqual([
      null,
      null,
      null,
    ]);
  });

  it("are invalid until they are turned on", () => {
    expect(parseVideoLink("s3://clips/a.mp4", SPECIFIED_SOURCES)).toBeNull();
    expect(parseFolderLink("s3://clips/", SPECIFIED_SOURCES)).toBeNull();
    expect(explainLink("s3://clips/a.mp4")).toBe("S3 is turned off; turn it on in Settings");
  });
});
