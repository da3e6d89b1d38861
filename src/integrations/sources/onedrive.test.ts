import { afterEach, beforeEach, expect, it } from "vitest";
import type { ClipmillError } from "#contract/errors.ts";
import { oneDrive } from "#contract/sources/hosts/onedrive.ts";
import { explainLink, parseLink } from "#contract/sources/links.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openTestDownloads, type TestDownloads } from "#tests/support/fetch-from-host.ts";
import { type OneDriveTwin, startOneDriveTwin } from "#tests/support/twins/onedrive-twin.ts";

const BYTES = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7 + Math.floor(i / 256)) % 256));
const NAME = "Море 1.mp4";

const folder = await makeScratchFolder();
let twin: OneDriveTwin;
let downloads: TestDownloads;

beforeEach(async () => {
  twin = await startOneDriveTwin();
  downloads = openTestDownloads(folder, oneDrive, { baseUrls: twin.environment });
});
afterEach(async () => await twin.close());

it("downloads a shared file and resumes it, with one token for all requests until it expires", async () => {
  const link = twin.add("IQAbc-1", { name: NAME, bytes: BYTES, behaviour: "truncateOnce" });
  const { facts, bytes } = await downloads.fetch(link);
  expect(bytes).toEqual(BYTES);
  expect(facts).toMatchObject({ name: NAME, mimeType: "video/mp4", sizeBytes: BYTES.length });
  expect(await downloads.describe(link)).toEqual(facts);
  const tokenRequests = () => twin.requests.filter(({ path }) => path === "/token").length;
  expect(tokenRequests()).toBe(1);
  expect(twin.requests.filter(({ path }) => path.startsWith("/content/")).map(({ range }) => range)).toEqual([
    null,
    expect.stringMatching(/^bytes=\d+-$/),
  ]);
  twin.expireTokens();
  expect(await downloads.describe(link)).toEqual(facts);
  expect(tokenRequests()).toBe(2);
});

it.each<[NonNullable<Parameters<OneDriveTwin["add"]>[1]["behaviour"]>, Partial<ClipmillError>]>([
  ["notFound", { code: "source_not_found", message: "OneDrive has no file at this link. Check the link." }],
  ["private", { code: "not_shared", message: expect.stringMatching(/Anyone with the link/) }],
  ["malware", { code: "not_shared", message: expect.stringMatching(/flagged this file as harmful/) }],
  ["folder", { code: "not_a_video", message: expect.stringMatching(/points to a folder/) }],
  ["throttled", { code: "rate_limited", retryAfterSeconds: 120 }],
  ["overBandwidth", { code: "rate_limited" }],
  ["outOfOrder", { code: "network", isRetryable: true }],
  ["garbage", { code: "network", message: "OneDrive sent an unreadable response. Retry later." }],
  ["leadsAway", { code: "bad_link", message: "This link points outside OneDrive, so it was not followed." }],
])("explains a link whose file is %s", async (behaviour, expected) => {
  const link = twin.add("IQAbc-1", { name: NAME, bytes: BYTES, behaviour });
  expect(await downloads.failureOf(downloads.fetch(link))).toMatchObject(expected);
});

it.each([
  [404, { code: "unavailable", message: "OneDrive cannot open shared links right now. Retry later." }],
  [503, { code: "network" }],
])("explains a token service that returns %i", async (status, expected) => {
  twin.rejectTokens(status);
  const link = twin.add("IQAbc-1", { name: NAME, bytes: BYTES });
  expect(await downloads.failureOf(downloads.fetch(link))).toMatchObject(expected);
});

it("explains an empty file", async () => {
  const link = twin.add("IQAbc-1", { name: NAME, bytes: Buffer.alloc(0) });
  expect(await downloads.failureOf(downloads.fetch(link))).toMatchObject({ message: "This file is empty." });
});

const redeem = Buffer.from("https://1drv.ms/v/c/a1b2/IQAbc?e=x").toString("base64url");

it.each([
  ["https://1drv.ms/v/c/a1b2/IQAbc-1?e=Xy12Zz", "v/c/a1b2/IQAbc-1"],
  ["https://1drv.ms/u/s!AkCh-QtrC8VfZl1k?e=7aLpVf", "u/s!AkCh-QtrC8VfZl1k"],
  [`https://onedrive.live.com/?qt=sharedby&cid=a1b2&redeem=${redeem}`, "v/c/a1b2/IQAbc"],
])("recognizes %s", (link, id) => {
  expect(parseLink(link)).toEqual({ host: "onedrive", id, accessKey: null });
});

it.each([
  ["https://1drv.ms/f/c/a1b2/IgAbc?e=x", /^this is a OneDrive folder/],
  ["https://onedrive.live.com/?cid=a1b2&id=a1b2!140", /^this link doesn't point to a shared file/],
  ["https://onedrive.live.com/?redeem=aHR0cHM6Ly9ldmlsLmV4YW1wbGUv", /^this link doesn't point to a shared file/],
  ["https://onedrive.live.com/?redeem=%21%21", /^this link doesn't point to a shared file/],
  ["https://onedrive.live.com/?redeem=A", /^this link doesn't point to a shared file/],
  ["https://1drv.ms/v/c/a1b2/IQAbc", /^OneDrive is turned off; turn it on in Settings$/],
])("explains %s", (link, reason) => {
  expect(explainLink(link)).toMatch(reason);
});
