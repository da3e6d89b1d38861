import { afterEach, beforeEach, expect, it } from "vitest";
import type { ClipmillError } from "#contract/errors.ts";
import { dropbox } from "#contract/sources/hosts/dropbox/dropbox.ts";
import { explainLink, parseLink } from "#contract/sources/links.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openTestDownloads, type TestDownloads } from "#tests/support/fetch-from-host.ts";
import { type DropboxTwin, startDropboxTwin } from "#tests/support/twins/dropbox-twin.ts";

const BYTES = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7 + Math.floor(i / 256)) % 256));
const NAME = "Море 1.mp4";

const folder = await makeScratchFolder();
let twin: DropboxTwin;
let downloads: TestDownloads;

beforeEach(async () => {
  twin = await startDropboxTwin();
  downloads = openTestDownloads(folder, dropbox, { baseUrls: twin.environment });
});
afterEach(async () => await twin.close());

it("downloads a shared file, named by its link", async () => {
  const link = twin.add("a1b2", NAME, { bytes: BYTES, key: "k3y" });
  const { facts, bytes } = await downloads.fetch(link);
  expect(bytes).toEqual(BYTES);
  expect(facts).toMatchObject({
    name: NAME,
    sizeBytes: BYTES.length,
    revision: expect.stringMatching(/^[0-9a-f]{32} 100000$/),
  });
  expect(await downloads.describe(link)).toEqual(facts);
  expect(twin.requests.filter(({ path }) => path.startsWith("/cd/")).map(({ range }) => range)).toEqual([
    "bytes=0-0",
    null,
    "bytes=0-0",
  ]);
});

it.each<[NonNullable<Parameters<DropboxTwin["add"]>[2]["behaviour"]>, Partial<ClipmillError>]>([
  ["deleted", { code: "source_not_found", message: expect.stringMatching(/^Dropbox has no file at this link/) }],
  ["expired", { code: "source_not_found", message: "This Dropbox link has expired. Create a new link." }],
  ["password", { code: "not_shared", message: expect.stringMatching(/^This Dropbox link has a password/) }],
  ["private", { code: "not_shared", message: expect.stringMatching(/Anyone with this link/) }],
  ["overused", { code: "quota_exceeded", isRetryable: true }],
  ["rateLimited", { code: "rate_limited", retryAfterSeconds: 300 }],
  ["outOfOrder", { code: "network", isRetryable: true }],
  ["redirectsAway", { code: "bad_link", message: "This link points outside Dropbox, so it was not followed." }],
])("explains a link that is %s", async (behaviour, expected) => {
  const link = twin.add("a1b2", NAME, { bytes: BYTES, behaviour });
  expect(await downloads.failureOf(downloads.fetch(link))).toMatchObject(expected);
});

it("explains a link without its key, and an empty file", async () => {
  const link = twin.add("a1b2", NAME, { bytes: BYTES, key: "k3y" });
  const without = link.replace("rlkey=k3y&", "");
  expect(await downloads.failureOf(downloads.fetch(without))).toMatchObject({ code: "source_not_found" });
  const empty = twin.add("c3", NAME, { bytes: Buffer.alloc(0) });
  expect(await downloads.failureOf(downloads.fetch(empty))).toMatchObject({ message: "This file is empty." });
});

it.each([
  ["https://www.dropbox.com/scl/fi/a1/Sea%201.mp4?rlkey=k3y&st=x&dl=0", "scl/fi/a1/Sea%201.mp4", "k3y"],
  ["https://dropbox.com/scl/fi/a1/Sea%201.mp4?dl=1&rlkey=k3y", "scl/fi/a1/Sea%201.mp4", "k3y"],
  ["https://dl.dropboxusercontent.com/scl/fi/a1/sea.mp4?rlkey=k3y", "scl/fi/a1/sea.mp4", "k3y"],
  ["https://www.dropbox.com/s/a1b2/sea.mp4?raw=1", "s/a1b2/sea.mp4", null],
  ["https://www.dropbox.com/s/dl/a1b2/sea.mp4", "s/a1b2/sea.mp4", null],
  ["https://www.dropbox.com/s/a1b2", "s/a1b2", null],
  ["https://www.dropbox.com/scl/fi/a1/sea.mp4?rlkey=../x", "scl/fi/a1/sea.mp4", null],
])("recognizes %s", (link, id, accessKey) => {
  expect(parseLink(link)).toEqual({ host: "dropbox", id, accessKey });
});

it.each([
  ["https://www.dropbox.com/scl/fo/a1/b2?rlkey=k3y", /^this is a Dropbox folder/],
  ["https://www.dropbox.com/sh/a1/b2", /^this is a Dropbox folder/],
  ["https://www.dropbox.com/home/Videos?preview=sea.mp4", /^this link doesn't point to a shared file/],
  ["https://www.dropbox.com:8443/s/a1/sea.mp4", /^this link doesn't point to a shared file/],
  ["https://www.dropbox.com/s/a1/sea.mp4", /^Dropbox is turned off; turn it on in Settings$/],
])("explains %s", (link, reason) => {
  expect(explainLink(link)).toMatch(reason);
});
