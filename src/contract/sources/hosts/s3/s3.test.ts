import { Readable } from "node:stream";
import { expect, it } from "vitest";
import type { S3BucketRequest } from "../../../connections/s3-requests.ts";
import { listPrefix } from "./s3.ts";

const FOLDER = { host: "s3", id: "clips/raw/", accessKey: null } as const;

function openStore(pages: string[]) {
  const requests: S3BucketRequest[] = [];
  const access = {
    signS3: (request: S3BucketRequest) => {
      requests.push(request);
      const url = new URL("https://s3.example/clips");
      return Promise.resolve({ url, baseUrl: null, endpoint: "s3.example:443", connection: "Archive" });
    },
    get: () =>
      Promise.resolve({
        status: 200,
        headers: {},
        url: new URL("https://s3.example/clips"),
        fileName: null,
        contentLength: null,
        retryAfterSeconds: null,
        redirectTarget: null,
        text: () => Promise.resolve(pages[requests.length - 1] ?? page([], String(requests.length))),
        body: Readable.from([]),
      }),
  };
  return { access, requests };
}

function page(keys: string[], next: string | null = null, encoding = "<EncodingType>url</EncodingType>"): string {
  const files = keys.map((key) => `<Contents><Key>${key}</Key><Size>3</Size></Contents>`).join("");
  const token = next === null ? "" : `<NextContinuationToken>${next}</NextContinuationToken>`;
  return `<ListBucketResult>${encoding}${token}${files}</ListBucketResult>`;
}

it("lists the media files of all pages by name, as links", async () => {
  const { access, requests } = openStore([
    page(["raw/clip10.mp4", "raw/notes.txt", "raw/"], "a&amp;b"),
    page(["raw/clip+2%2523.MOV"]),
  ]);
  expect(await listPrefix(FOLDER, access)).toEqual([
    { link: "s3://clips/raw/clip 2%23.MOV", name: "clip 2%23.MOV", size_bytes: 3 },
    { link: "s3://clips/raw/clip10.mp4", name: "clip10.mp4", size_bytes: 3 },
  ]);
  expect(requests).toMatchObject([
    { bucket: "clips", prefix: "raw/", token: null },
    { bucket: "clips", prefix: "raw/", token: "a&b" },
  ]);
});

it("reads names of stores that do not encode them", async () => {
  const { access } = openStore([page(["raw/a+b &amp;amp; &#x1F30A; 100%.mp4"], null, "")]);
  expect(await listPrefix(FOLDER, access)).toMatchObject([{ name: "a+b &amp; 🌊 100%.mp4" }]);
});

it.each([
  ["a cut-off list", [page(["raw/a.mp4"]).slice(0, -5)], "returned an unreadable list"],
  ["no media", [page(["raw/a.txt"])], "No video or audio files found"],
  ["a comma", [page(["raw/a%2C b.mp4"])], '"a, b.mp4" has a comma'],
  [
    "over 1,000 files",
    Array.from({ length: 8 }, (_, i) =>
      page(
        Array.from({ length: 140 }, (_, j) => `raw/${i}-${j}.mp4`),
        `${i}`,
      ),
    ),
    "more than 1,000",
  ],
  ["an endless list of other files", [], "more than 1,000"],
])("explains %s", async (_, pages, sentence) => {
  await expect(listPrefix(FOLDER, openStore(pages).access)).rejects.toThrow(sentence);
});
