import { afterEach, beforeEach, expect, it } from "vitest";
import { SPECIFIED_SOURCES } from "#contract/sources/accepted-sources.ts";
import { googleDrive } from "#contract/sources/hosts/google-drive/google-drive.ts";
import { parseFolderLink, parseVideoLink } from "#contract/sources/links.ts";
import { baseUrlsOf } from "#tests/support/test-context.ts";
import { rejectSigning } from "#tests/support/fetch-from-host.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { createSourceGet } from "./source-http.ts";

const KEY = "AIzaSy-the-secret-key";
const FOLDER = "https://drive.google.com/drive/folders/folder-1?usp=sharing";

let twin: DriveTwin;
beforeEach(async () => {
  twin = await startDriveTwin({ apiKey: KEY });
});
afterEach(async () => await twin.close());

function addFiles(count: number, mimeType = "video/mp4"): void {
  for (let number = 1; number <= count; number += 1) {
    const id = `${mimeType.replace("/", "-")}-${number}`;
    twin.add({ id, name: `Clip ${number}.mp4`, mimeType, bytes: Buffer.from("abc"), folder: "folder-1" });
  }
}

function list(link = FOLDER, googleDriveKey: string | null = KEY) {
  const get = createSourceGet({ signal: new AbortController().signal });
  const access = {
    baseUrls: baseUrlsOf(twin.url),
    privateSources: [],
    googleDriveKey,
    signS3: rejectSigning,
    openDropbox: rejectSigning,
    get,
  };
  return googleDrive.list!(parseFolderLink(link, SPECIFIED_SOURCES)!, access);
}

it("lists the media files of a folder by name, page by page, as links that a job accepts", async () => {
  addFiles(250);
  addFiles(3, "application/pdf");
  const listed = await list();
  expect(listed).toHaveLength(250);
  expect(
    listed
      .slice(0, 2)
      .concat(listed[249]!)
      .map(({ name }) => name),
  ).toEqual(["Clip 1.mp4", "Clip 2.mp4", "Clip 250.mp4"]);
  expect(listed[0]).toEqual({ link: twin.links("video-mp4-1"), name: "Clip 1.mp4", size_bytes: 3 });
  expect(listed.every(({ link }) => parseVideoLink(link, SPECIFIED_SOURCES))).toBe(true);
  expect(twin.requests).toHaveLength(3);
});

it("keeps the resource keys of older files", async () => {
  const behaviour = { kind: "resourceKey", resourceKey: "0-abc" } as const;
  twin.add({ id: "old", name: "a.mp4", mimeType: "video/mp4", bytes: Buffer.from("a"), behaviour, folder: "folder-1" });
  expect(await list()).toMatchObject([{ link: `${twin.links("old")}?resourcekey=0-abc` }]);
});

it("lists at most 1,000 files", async () => {
  addFiles(1_000);
  expect(await list()).toHaveLength(1_000);
  addFiles(1, "audio/mp4");
  await expect(list()).rejects.toMatchObject({ code: "too_large", message: expect.stringMatching(/more than 1,000/) });
});

it.each([
  ["without a key", null, "bad_key", /needs a Google Drive key. Save one in Settings/],
  ["with a rejected key", "another", "bad_key", /rejected the Google Drive key/],
  ["that is empty or not shared", KEY, "source_not_found", /Share it with "Anyone with the link"/],
] as const)("explains a folder %s", async (_, key, code, message) => {
  await expect(list(FOLDER, key)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

it.each([
  ["https://drive.google.com/drive/folders/abc", "abc", null],
  ["https://drive.google.com/drive/u/1/folders/abc?resourcekey=0-x", "abc", "0-x"],
  ["https://drive.google.com/drive/mobile/folders/abc/", "abc", null],
])("recognizes the folder %s, which is no video", (link, id, accessKey) => {
  expect(parseFolderLink(link, SPECIFIED_SOURCES)).toEqual({ host: "google-drive", id, accessKey });
  expect(parseVideoLink(link, SPECIFIED_SOURCES)).toBeNull();
});

it.each([
  "https://drive.google.com/file/d/abc/view",
  "https://drive.google.com/drive/folders/",
  "https://drive.google.com/drive/folders/../abc",
  "https://docs.google.com/drive/folders/abc",
  "https://evil.example/drive/folders/abc",
])("does not read %s as a folder", (link) => {
  expect(parseFolderLink(link, SPECIFIED_SOURCES)).toBeNull();
});
