/** Videos of five kinds of sources, from the links to the finished job, with the real server and a twin of each host. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import type { SupabaseClient } from "@supabase/supabase-js";
import { openJobScreen, paste, startOf, unexpectedFaults } from "#tests/support/browser/job-screen.ts";
import { signIn } from "#tests/support/browser/screens.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { readLibrary, signedInClient } from "#tests/support/servers/client.ts";
import type { ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startTemporaryClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { type DropboxTwin, startDropboxTwin } from "#tests/support/twins/dropbox-twin.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive-twin.ts";
import { type OneDriveTwin, startOneDriveTwin } from "#tests/support/twins/onedrive-twin.ts";
import { startWebTwin, type WebTwin } from "#tests/support/twins/web-twin.ts";

const GOOD_PER_HOST = 17;

let clipmill: ClipmillProcess;
let client: SupabaseClient;
let drive: DriveTwin;
let dropbox: DropboxTwin;
let oneDrive: OneDriveTwin;
let web: WebTwin;
let bytes: Buffer;

test.beforeAll(async () => {
  drive = await startDriveTwin();
  dropbox = await startDropboxTwin();
  oneDrive = await startOneDriveTwin();
  web = await startWebTwin();
  clipmill = await startTemporaryClipmill({
    ...drive.environment,
    ...dropbox.environment,
    ...oneDrive.environment,
    ALLOW_PRIVATE_SOURCES: web.authority,
  });
  client = await signedInClient(clipmill.url);
  const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-sources-"));
  const clip = path.join(folder, "clip.mp4");
  await makeClip(clip, { width: 180, height: 320, seconds: 1 });
  bytes = await readFile(clip);
  await rm(folder, { recursive: true });
});

test.afterAll(async () => {
  await clipmill.stop();
  for (const twin of [drive, dropbox, oneDrive, web]) await twin.close();
});

/** An unused box at the end makes a file larger than what a check reads. */
const PADDING_BYTES = 1_000_000;

/** Adds a video per host; no other has the same content. */
function addGood(index: number): string[] {
  const unused = Buffer.alloc(PADDING_BYTES, index);
  unused.writeUInt32BE(PADDING_BYTES);
  unused.write("free", 4, "latin1");
  const own = Buffer.concat([bytes, unused]);
  drive.add({ id: `clip-${index}`, name: `drive-${index}.mp4`, mimeType: "video/mp4", bytes: own });
  return [
    drive.links(`clip-${index}`),
    dropbox.add(`box${index}`, `dropbox-${index}.mp4`, { bytes: own }),
    oneDrive.add(`one${index}`, { name: `onedrive-${index}.mp4`, bytes: own }),
    web.add(`/web-${index}.mp4`, { bytes: own }),
  ];
}

/** Adds nine videos, each bad in its own way. Returns their links with what the sentence says. */
function addBad(): Map<string, RegExp> {
  const text = Buffer.from("This is not a video. ".repeat(100));
  const bad = { mimeType: "video/mp4", bytes };
  drive.add({ id: "hidden", name: "hidden.mp4", ...bad, behaviour: { kind: "notShared" } });
  drive.add({ id: "quota", name: "quota.mp4", ...bad, behaviour: { kind: "quotaExceeded" } });
  drive.add({ id: "text", name: "text.mp4", mimeType: "video/mp4", bytes: text });
  return new Map([
    [drive.links("hidden"), /Share it with "Anyone with the link"/],
    [drive.links("quota"), /Use a copy of the file/],
    [drive.links("text"), /not a video|no video|not.*video/i],
    [drive.links("missing"), /Google Drive has no file at this link/],
    [web.add("/page.mp4", { behaviour: { kind: "page" } }), /Use the address of the file itself/],
    [`${web.url}/gone.mp4`, /has no file at this address/],
    [dropbox.add("deleted", "deleted.mp4", { bytes, behaviour: "deleted" }), /Dropbox/],
    [oneDrive.add("private", { name: "private.mp4", bytes, behaviour: "private" }), /OneDrive/],
    ["https://clipmill.local/file/d/gone", /no longer in the Clipmill library/],
  ]);
}

/** Returns how often each file was requested whole, with its address or id. */
function wholeDownloads(): Map<string, number> {
  const requests = [
    ...drive.requests
      .filter(({ path: asked }) => asked === "/download")
      .map(({ query, range }) => [query.get("id")!, range]),
    ...dropbox.requests
      .filter(({ path: asked }) => asked.startsWith("/cd/"))
      .map((one) => [one.path.replace(/^.*get\/\d+/, ""), one.range]),
    ...oneDrive.requests.filter(({ path: asked }) => asked.startsWith("/content/")).map((one) => [one.path, one.range]),
    ...web.requests.map((one) => [one.path, one.headers.range ?? null]),
  ] as [string, string | null][];
  const counts = new Map<string, number>();
  for (const [file, range] of requests) if (range === null) counts.set(file, (counts.get(file) ?? 0) + 1);
  return counts;
}

// spec 2.13.1, 2.13.2, 2.13.5
test("all bad videos of 80 are named with what to do, and the rest becomes a job that fetches each file once", async ({
  page,
}) => {
  const faults = await signIn(page, clipmill.url);
  await client.functions.invoke("settings", { body: { source_hosts: ["web", "dropbox", "onedrive"] } });
  const samples = (await readLibrary(client)).data.filter(({ kind }) => kind === "video").slice(0, 3);
  const good = Array.from({ length: GOOD_PER_HOST }, (_, index) => addGood(index + 1)).flat();
  const links = [...good, ...samples.map(({ link }) => link)];
  const bad = addBad();
  for (const [index, link] of [...bad.keys()].entries()) links.splice(index * 9, 0, link);
  expect(links).toHaveLength(80);

  await openJobScreen(page, clipmill.url);
  await page.getByLabel("Job name").fill("Five kinds");
  await paste(page, page.getByLabel("Video links"), links.join("\n"));
  await expect(page.getByText("71 ready · 9 with problems").first()).toBeVisible({ timeout: 120_000 });
  const grid = page.getByRole("grid", { name: "Videos" });
  for (const [link, sentence] of bad) {
    await grid.evaluate((area, top) => area.scrollTo({ top }), links.indexOf(link) * 49);
    await expect(grid.getByText(sentence).first()).toBeVisible();
  }
  for (const link of good.slice(-4)) {
    await grid.evaluate((area, top) => area.scrollTo({ top }), links.indexOf(link) * 49);
    const name = /(?:drive|dropbox|onedrive|web)-17\.mp4/;
    await expect(grid.getByRole("row").filter({ hasText: name }).first().locator("img")).toBeVisible();
  }
  await page.getByRole("button", { name: "Remove 9 with problems" }).click();
  await startOf(page).click();
  await expect(page.getByText("Job Started")).toBeVisible();
  const job = async () => (await client.from("jobs").select("status").eq("job_name", "Five kinds").single()).data;
  await expect.poll(async () => (await job())?.status, { timeout: 150_000 }).toBe("Completed");
  const counts = wholeDownloads();
  expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
  expect(counts.size).toBe(4 * GOOD_PER_HOST);
  expect(unexpectedFaults(faults)).toEqual([]);
});
