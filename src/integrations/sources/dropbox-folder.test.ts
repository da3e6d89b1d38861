import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AcceptedSources } from "#contract/sources/accepted-sources.ts";
import { dropbox } from "#contract/sources/hosts/dropbox/dropbox.ts";
import { parseFolderLink, parseLink, parseVideoLink, splitLinks } from "#contract/sources/links.ts";
import type { SourceGet } from "#contract/sources/source-host.ts";
import { openTestDownloads, rejectSigning } from "#tests/support/fetch-from-host.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { type DropboxApiTwin, startDropboxApiTwin } from "#tests/support/twins/stores/dropbox-api-twin.ts";
import { addSharedFolders, type SharedFolderBehavior } from "#tests/support/twins/stores/dropbox-shared-folders.ts";
import { openDropboxAccount } from "../remote-stores/dropbox/dropbox-account.ts";
import { createSourceGet } from "./source-http.ts";

const ON: AcceptedSources = { hosts: ["dropbox"], privateSources: [] };
const BYTES = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7 + Math.floor(i / 256)) % 256));
const folder = await makeScratchFolder();

let twin: DropboxApiTwin;
let share: ReturnType<typeof addSharedFolders>;
beforeEach(async () => {
  twin = await startDropboxApiTwin();
  share = addSharedFolders(twin);
});
afterEach(async () => await twin.close());

const openDropbox = async (get: SourceGet) => {
  const { app_key, app_secret, refresh_token } = twin.fields;
  const credentials = { name: "Team", settings: { app_key }, secret: { app_secret, refresh_token } };
  return { connection: "Team", ...openDropboxAccount(credentials, { get, baseUrls: twin.environment }) };
};

function list(link: string) {
  const get = createSourceGet({ signal: new AbortController().signal, stallSeconds: 0.5 });
  const access = { baseUrls: twin.environment, privateSources: [], googleDriveKey: null, signS3: rejectSigning };
  return dropbox.list!(parseFolderLink(link, ON)!, { ...access, openDropbox, get });
}

const open = () => openTestDownloads(folder, dropbox, { baseUrls: twin.environment, openDropbox });

describe("a shared Dropbox folder", () => {
  it("becomes links to its media files, by name, which a job accepts and downloads", async () => {
    const link = share("a1", {
      "/clip 10.mp4": BYTES,
      "/clip 2.mp4": BYTES.subarray(0, 10),
      "/Море, 50% #1?.MOV": BYTES.subarray(0, 5),
      "/notes.pdf": BYTES,
      "/Sub": null,
      "/Sub/inner.mp4": BYTES,
    });
    const listed = await list(`${link}&st=x&dl=0`);
    expect(listed.map(({ name, size_bytes }) => [name, size_bytes])).toEqual([
      ["clip 2.mp4", 10],
      ["clip 10.mp4", BYTES.length],
      ["Море, 50% #1?.MOV", 5],
    ]);
    const links = listed.map((file) => file.link);
    expect(splitLinks(links.join(","))).toEqual(links);
    for (const one of links) expect(parseVideoLink(one, ON)).toMatchObject({ host: "dropbox", accessKey: "k3y" });
    const { facts, bytes } = await open().fetch(links[1]!);
    expect(bytes).toEqual(BYTES);
    expect(facts).toMatchObject({ name: "clip 10.mp4", sizeBytes: BYTES.length });
    expect((await open().fetch(links[2]!)).facts).toMatchObject({ name: "Море, 50% #1?.MOV", sizeBytes: 5 });
    expect((await list(link.replace("?", "/Sub?"))).map(({ name }) => name)).toEqual(["inner.mp4"]);
    // One token for everything.
    expect(twin.calls.filter(({ path }) => path === "/oauth2/token")).toHaveLength(1);
  });

  it("describes a file by its first byte, and resumes a download that was cut", async () => {
    const link = share("a1", { "/clip.mp4": BYTES }, { behavior: "cutsOnce" }).replace("?", "/clip.mp4?");
    expect((await open().fetch(link)).bytes).toEqual(BYTES);
    const ranges = twin.calls.filter(({ method }) => method === "GET").map(({ headers }) => headers.range);
    // An earlier token may be rejected first.
    expect(ranges.slice(-3)).toEqual(["bytes=0-0", undefined, expect.stringMatching(/^bytes=\d+-$/)]);
  });

  it("lists at most 1,000 files, page by page, and ends for a host that repeats itself", async () => {
    const files = Object.fromEntries(Array.from({ length: 1_000 }, (_, number) => [`/${number}.mp4`, BYTES]));
    expect(await list(share("a1", files))).toHaveLength(1_000);
    const tooMany = { code: "too_large", message: expect.stringMatching(/more than 1,000/) };
    await expect(list(share("b2", { ...files, "/one more.mp4": BYTES }))).rejects.toMatchObject(tooMany);
    await expect(list(share("c3", { "/a.pdf": BYTES }, { behavior: "endless" }))).rejects.toMatchObject(tooMany);
  });

  it("gets a new token when Dropbox revoked the one in memory", async () => {
    const link = share("a1", { "/a.mp4": BYTES });
    await list(link);
    twin.expireTokens();
    expect(await list(link)).toHaveLength(1);
  });
});

it.each<[SharedFolderBehavior, string, RegExp]>([
  ["removed", "source_not_found", /The link may have expired, or the folder was removed/],
  ["expired", "source_not_found", /The link may have expired/],
  ["private", "not_shared", /Set its link to "Anyone with this link", without a password/],
  ["garbage", "network", /^Dropbox returned an unreadable list/],
  ["hangs", "network", /^Dropbox stopped sending data/],
  ["redirects", "network", /^Dropbox rejected the request/],
])("explains a folder that is %s", async (behavior, code, message) => {
  const link = share("a1", { "/a.mp4": BYTES }, { behavior });
  await expect(list(link)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

it.each<[SharedFolderBehavior, string, RegExp]>([
  ["removed", "source_not_found", /The folder's link may have expired, or the file was removed/],
  ["private", "not_shared", /Anyone with this link/],
  ["restricted", "not_shared", /^Dropbox does not allow downloading this file/],
  ["hangs", "network", /^Dropbox stopped sending data/],
  ["redirects", "network", /^Dropbox rejected the request/],
])("explains a file of a folder that is %s", async (behavior, code, message) => {
  const link = share("a1", { "/a.mp4": BYTES }, { behavior }).replace("?", "/a.mp4?");
  const error = await open().failureOf(open().fetch(link));
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
});

it("explains an empty file, and one whose length is a lie", async () => {
  const link = share("a1", { "/empty.mp4": Buffer.alloc(0) });
  expect(await open().failureOf(open().fetch(link.replace("?", "/empty.mp4?")))).toMatchObject({ code: "not_a_video" });
  const lie = share("b2", { "/a.mp4": BYTES }, { behavior: "lies" }).replace("?", "/a.mp4?");
  expect(await open().failureOf(open().fetch(lie))).toMatchObject({ isRetryable: true });
});

const limited = (seconds: number) => ({
  status: 429,
  headers: { "retry-after": String(seconds) },
  body: JSON.stringify({ error_summary: "too_many_requests/..", error: { reason: { ".tag": "too_many_requests" } } }),
});

it("waits out short limits, and leaves long ones to the queue", async () => {
  const link = share("a1", { "/a.mp4": BYTES });
  twin.faults.push({ path: "list_folder", response: limited(0) });
  expect(await list(link)).toHaveLength(1);
  twin.faults.push({ path: "list_folder", response: limited(300) });
  await expect(list(link)).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 300 });
});

it.each([
  ["https://www.dropbox.com/scl/fo/a1/AAx?rlkey=k3y&st=q&dl=0", "scl/fo/a1/AAx", "k3y"],
  ["https://www.dropbox.com/scl/fo/a1/h?dl=1&rlkey=k3y", "scl/fo/a1/h", "k3y"],
  ["https://www.dropbox.com/scl/fo/a1/AAx/Sub%20folder/?rlkey=k3y", "scl/fo/a1/AAx/Sub%20folder", "k3y"],
  ["https://www.dropbox.com/sh/a1/AAx?dl=0", "sh/a1/AAx", null],
])("recognizes the folder %s, which is no video", (link, id, accessKey) => {
  expect(parseFolderLink(link, ON)).toEqual({ host: "dropbox", id, accessKey });
  expect(parseVideoLink(link, ON)).toBeNull();
});

it.each([
  ["https://www.dropbox.com/scl/fo/a1/AAx/clip%201.mp4?rlkey=k3y", "scl/fo/a1/AAx/clip%201.mp4"],
  ["https://www.dropbox.com/scl/fo/a1/AAx/Sub/clip,1.mp4?rlkey=k3y", "scl/fo/a1/AAx/Sub/clip%2C1.mp4"],
  ["https://www.dropbox.com/scl/fo/a1/AAx?preview=clip+1.mp4&rlkey=k3y", "scl/fo/a1/AAx/clip%201.mp4"],
])("recognizes the file %s, which is no folder", (link, id) => {
  expect(parseLink(link)).toEqual({ host: "dropbox", id, accessKey: "k3y" });
  expect(parseFolderLink(link, ON)).toBeNull();
});

it.each([
  "https://www.dropbox.com/scl/fo/a1",
  "https://www.dropbox.com/scl/fo/a1/AAx/a%2Fb?rlkey=k3y",
  "https://www.dropbox.com/scl/fo/a1/AAx/%FF?rlkey=k3y",
  "https://www.dropbox.com:8443/scl/fo/a1/AAx",
  "https://evil.example/scl/fo/a1/AAx",
])("does not read %s as a folder", (link) => {
  expect(parseFolderLink(link, ON)).toBeNull();
  expect(parseLink(link)?.host).not.toBe("dropbox");
});
