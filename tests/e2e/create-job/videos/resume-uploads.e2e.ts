/** An interrupted upload continues when its file is chosen again: nothing is sent twice. */
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { openJobScreen } from "#tests/support/browser/job-screen.ts";
import { expectNoOverflow, isResponseError, signIn } from "#tests/support/browser/screens.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess, PASSWORD, startClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";

const MEGABYTE = 1024 ** 2;
/** ffmpeg checks the file first. */
const CHECKED = { timeout: 60_000 };

let folder: string;
let dataDir: string;
let clipmill: ClipmillProcess;
let file: string;
let sizeBytes: number;

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-resume-"));
  dataDir = path.join(folder, "data");
  file = path.join(folder, "beach.mp4");
  await makeClip(file, { width: 180, height: 320, seconds: 1 });
  // Players skip a "free" box.
  const free = Buffer.alloc(12 * MEGABYTE, 7);
  free.writeUInt32BE(free.length, 0);
  free.write("free", 4);
  await appendFile(file, free);
  sizeBytes = (await stat(file)).size;
  clipmill = await startInstalledClipmill(dataDir);
});

test.afterAll(async () => {
  await clipmill.stop();
  await rm(folder, { recursive: true, force: true });
});

// spec 2.12.3
test("a killed server and a reload lose nothing: the rest is sent, and nothing twice", async ({ page }) => {
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/library`);
  const ranges = watchRanges(page);
  const limitRate = await openThrottle(page);
  await limitRate(400_000);
  await page.getByLabel("Files for the library").setInputFiles(file);
  await expect.poll(receivedBytes).toBeGreaterThan(100_000);

  // The page sends on by itself.
  await clipmill.kill();
  const beforeRestart = await receivedBytes();
  await expect(rowOf(page)).toContainText("The connection was lost. Retrying…");
  clipmill = await startClipmillProcess(dataDir, { PORT: new URL(clipmill.url).port });
  await expect.poll(receivedBytes, { timeout: 60_000 }).toBeGreaterThan(beforeRestart + 100_000);
  expect(ranges().map(({ offset }) => offset)).toEqual([0, beforeRestart]);

  await page.reload();
  const row = rowOf(page);
  await expect(row).toContainText("Choose the file again to resume");
  const beforeReload = await receivedBytes();
  expect(beforeReload).toBeLessThan(sizeBytes);
  await expectAccessible(page, "an interrupted upload");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1366, height: 650 });
  const different = { name: "beach.mp4", mimeType: "video/mp4", buffer: Buffer.alloc(9) };
  await row.getByLabel("File of beach.mp4").setInputFiles(different);
  await expect(row.getByRole("alert")).toHaveText("This is a different file. Choose the 12.7 MB file again.");

  await limitRate(-1);
  await row.getByLabel("File of beach.mp4").setInputFiles(file);
  await expect(page.getByRole("list", { name: "Files" })).toContainText("beach.mp4", CHECKED);
  await expect(page.getByRole("list", { name: "Uploads" })).toHaveCount(0);
  expect(ranges().slice(2)).toEqual([{ offset: beforeReload, bytes: sizeBytes - beforeReload }]);
  const sent = await readFile(file);
  const stored = await filesOfLibrary();
  expect(stored.filter((bytes) => bytes.length === sizeBytes).map((bytes) => bytes.equals(sent))).toEqual([true]);
  expect(errors.filter((error) => !isResponseError(error) && !/ERR_CONNECTION_RESET/.test(error))).toEqual([]);
});

test("an interrupted upload of the job form adds its link, and a canceled one leaves the server", async ({ page }) => {
  const errors = await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
  const limitRate = await openThrottle(page);
  for (const action of ["Cancel", "resume"]) {
    await limitRate(400_000);
    const copy = path.join(folder, `${action}.mp4`);
    await writeFile(copy, Buffer.concat([await readFile(file), Buffer.from([0, 0, 0, 8]), Buffer.from("free")]));
    await page.getByLabel("Video files").setInputFiles(copy);
    await expect.poll(receivedBytes).toBeGreaterThan(100_000);
    await page.reload();
    await limitRate(-1);
    const row = rowOf(page, `${action}.mp4`);
    await expect(row).toContainText("Choose the file again to resume");
    if (action === "resume") await row.getByLabel(`File of ${action}.mp4`).setInputFiles(copy);
    else await row.getByRole("button", { name: `Cancel ${action}.mp4` }).click();
    await expect(row).toHaveCount(0, CHECKED);
    await expect.poll(receivedBytes).toBe(0);
  }
  await expect(page.getByLabel("Video links")).toHaveValue(/^https:\/\/clipmill\.local\/file\/d\/[\w-]{22}$/);
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});

test("an upload whose session ends continues once the account signs in again", async ({ page }) => {
  await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/library`);
  let hasEnded = false;
  await page.route("**/uploads/tus/*", async (route) => {
    if (route.request().method() === "PATCH" && !hasEnded) {
      hasEnded = true;
      await (await signedInClient(clipmill.url)).auth.signOut({ scope: "others" });
    }
    await route.continue();
  });
  const copy = path.join(folder, "continued.mp4");
  // Unlike the copies above: the library keeps equal files once.
  await writeFile(copy, Buffer.concat([await readFile(file), Buffer.from([0, 0, 0, 9]), Buffer.from("free1")]));
  await page.getByLabel("Files for the library").setInputFiles(copy);
  await expect(page.getByText("Your session has ended. Sign in to continue.")).toBeVisible();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("list", { name: "Files" })).toContainText("continued.mp4", CHECKED);
  await expect(page.getByRole("list", { name: "Uploads" })).toHaveCount(0);
});

function rowOf(page: Page, name = "beach.mp4"): Locator {
  return page.getByRole("list", { name: "Uploads" }).getByRole("listitem").filter({ hasText: name });
}

/** Returns the bytes of unfinished uploads on the server. */
async function receivedBytes(): Promise<number> {
  const parts = path.join(dataDir, "resumable-uploads");
  const names = (await readdir(parts)).filter((name) => !name.includes("."));
  // A finished or canceled upload is deleted, possibly at this moment.
  const sizeOf = (name: string) =>
    stat(path.join(parts, name)).then(
      ({ size }) => size,
      () => 0,
    );
  const sizes = await Promise.all(names.map(sizeOf));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function filesOfLibrary(): Promise<Buffer[]> {
  const library = path.join(dataDir, "files/library");
  return Promise.all((await readdir(library)).map((name) => readFile(path.join(library, name))));
}

/** Returns where each request with bytes starts, and its announced length. */
function watchRanges(page: Page): () => { offset: number; bytes: number }[] {
  const ranges: { offset: number; bytes: number }[] = [];
  page.on("request", (request) => {
    if (request.method() !== "PATCH") return;
    const offset = Number(request.headers()["upload-offset"]);
    ranges.push({ offset, bytes: sizeBytes - offset });
  });
  return () => ranges;
}

/** -1 is unlimited. */
async function openThrottle(page: Page): Promise<(bytesPerSecond: number) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  return async (uploadThroughput) => {
    const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
    await session.send("Network.emulateNetworkConditions", conditions);
  };
}
