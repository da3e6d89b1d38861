import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { AnalyzeVideosResponse } from "#contract/captions.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess, startClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { injectSession } from "#tests/support/browser/inject-session.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { unexpectedErrors } from "#tests/support/browser/job-screen.ts";
import { takeLayoutShift, watchLayoutShift } from "#tests/support/browser/layout-shift.ts";
import { settle } from "#tests/support/browser/settle.ts";
import { shortTargets } from "#tests/support/browser/short-targets.ts";
import { dropFiles } from "#tests/support/browser/drop-files.ts";
import { makeScenes } from "#tests/support/media/make-scenes.ts";
import { type OpenAiTwin, startOpenAiTwin, type TwinChat, TWIN_KEY } from "#tests/support/twins/openai/openai-twin.ts";
import { watchConsole } from "#tests/support/browser/watch-console.ts";

const FAILED = "Failed to analyze videos and generate captions. Check your OpenAI API key in settings.";
let folder: string;
let drive: DriveTwin;
let openAi: OpenAiTwin;
let clipmill: ClipmillProcess;
let environment: Record<string, string>;

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-lab-"));
  drive = await startDriveTwin();
  openAi = await startOpenAiTwin();
  environment = {
    ...drive.environment,
    OPENAI_BASE_URL: openAi.url,
    OPENAI_MODEL: "a-model",
  };
  for (const color of ["red", "blue"]) {
    const file = path.join(folder, `${color}.mp4`);
    await makeScenes(file, { colors: [color], secondsEach: 1 });
    for (let i = 0; i < 6; i += 1) {
      drive.add({ id: `${color}-${i}`, path: file, name: `${color}-${i}.mp4`, mimeType: "video/mp4" });
    }
  }
  await writeFile(path.join(folder, "notes.mp3"), "No video in here. ".repeat(100));
  clipmill = await startInstalledClipmill(path.join(folder, "data"), environment);
  await saveKey(TWIN_KEY);
});

test.beforeEach(() => {
  openAi.behave(() => ({ kind: "normal" }));
  openAi.chats.length = 0;
});

test.afterAll(async () => {
  await clipmill.stop();
  await openAi.close();
  await drive.close();
  await rm(folder, { recursive: true, force: true });
});

async function saveKey(key: string | null): Promise<void> {
  const client = await signedInClient(clipmill.url);
  const { error } = await client.functions.invoke("settings", { body: { openai_key: key } });
  if (error) throw error;
}

const captionOf = (page: Page, place: number) =>
  page.getByRole("textbox", { name: `Caption for video ${place}`, exact: true });
const isRed = (chat: TwinChat) => chat.pictures[0]?.color === "red";

test.describe("the screen", () => {
  let errors: string[];
  let links: string[];
  let round = 0;

  test.beforeEach(async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    errors = watchConsole(page);
    round += 1;
    // New links for every test, because equal links join a running batch.
    links = ["red-0", "blue-0"].map((id) => `${drive.links(id)}?round=${round}`);
    await openLab(page);
  });

  test.afterEach(() => {
    expect(errors).toEqual([]);
  });

  // spec 2.5.1, 2.5.2, 5.16, 8.25
  test("generates one caption per video in order, to edit and copy", async ({ page }) => {
    const generate = page.getByRole("button", { name: "Generate" });
    await expect(generate).toBeDisabled();
    await page.getByLabel("Video links").fill("nonsense");
    await expect(generate).toBeDisabled();
    await page.getByLabel("Video links").fill(`${links.join("\n")}\nnonsense`);
    await expect(page.getByText("2 valid links")).toBeVisible();
    await expect(page.getByText("Line 3 is not a link to a Google Drive file and will be skipped.")).toBeVisible();
    await generate.click();
    await expect(page.getByRole("status").filter({ hasText: "Captions Generated" })).toBeVisible();
    await expect(captionOf(page, 1)).toHaveValue(/^Seen: red/);
    await expect(captionOf(page, 2)).toHaveValue(/^Seen: blue/);
    await expect(page.getByText("This is not a link to a Google Drive file.")).toBeVisible();

    await captionOf(page, 1).fill("My own words");
    await page.getByRole("button", { name: "Copy All Captions" }).click();
    await expect(page.getByRole("button", { name: "Copied!" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Copy All Captions" })).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^My own words\nSeen: blue \(\d+\)$/);
    await page.getByRole("button", { name: "Copy caption for video 2" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^Seen: blue \(\d+\)$/);

    await page.getByRole("button", { name: "Save as set" }).click();
    await page.getByLabel("Set name").fill("From the lab");
    await page.getByRole("button", { name: "Save set" }).click();
    await expect(page.getByText("Caption Set Saved")).toBeVisible();
    await page.getByRole("button", { name: "Use in a new job" }).click();
    await expect(page.getByRole("textbox", { name: "Captions" })).toHaveValue(/^My own words\nSeen: blue/);
  });

  test("captions uploads and library files, which are shown by name", async ({ page }) => {
    const generate = page.getByRole("button", { name: "Generate" });
    const files = page.getByRole("list", { name: "Videos from the library" });
    await page.getByLabel("Video files").setInputFiles(path.join(folder, "red.mp4"));
    await expect(files.getByRole("listitem")).toHaveText([/red\.mp4/]);
    const picture = files.locator("img");
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    const dropped = ["notes.mp3", "blue.mp4"].map((name) => path.join(folder, name));
    await dropFiles(page.getByRole("heading", { name: "Caption Lab" }), dropped);
    await expect(files.getByRole("listitem")).toHaveText([/red\.mp4/, /blue\.mp4/]);
    // Every dropped file is to be a video.
    await expect(page.getByRole("list", { name: "Uploads" }).getByRole("alert")).toBeVisible();
    await page.getByRole("button", { name: "Dismiss notes.mp3" }).click();
    // The rejection.
    expect(unexpectedErrors(errors.splice(0))).toEqual([]);

    await page.getByRole("button", { name: "Choose from library" }).click();
    const dialog = page.getByRole("dialog", { name: "Library" });
    await expect(dialog.getByRole("checkbox", { name: "red.mp4" })).toBeDisabled();
    await dialog.getByRole("checkbox", { name: "Mountain dusk.mp4" }).check();
    await dialog.getByRole("button", { name: "Add 1 file" }).click();
    await expect(files.getByRole("listitem")).toHaveCount(3);
    await files.getByRole("button", { name: "Remove blue.mp4" }).click();
    await page.getByLabel("Video links").fill(links[1]!);
    await expect(page.getByLabel("Video links")).toHaveValue(links[1]!);

    await generate.click();
    await expect(page.getByRole("status").filter({ hasText: "Captions Generated" })).toBeVisible();
    await expect(captionOf(page, 1)).toHaveValue(/^Seen: blue/);
    await expect(captionOf(page, 2)).toHaveValue(/^Seen: red/);
    await expect(captionOf(page, 3)).toHaveValue(/^Seen: /);
    const results = page.getByRole("region", { name: "Captions" }).getByRole("listitem");
    await expect(results).toContainText(["blue-0.mp4", "red.mp4", "Mountain dusk.mp4"]);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await expectAccessible(page, `${width} px`);
    }
    expect(await shortTargets(page)).toEqual([]);
    await watchLayoutShift(page);
    await page.reload();
    await expect(files.getByRole("listitem")).toHaveText([/red\.mp4/, /Mountain dusk\.mp4/]);
    await page.waitForLoadState("networkidle");
    await settle(page);
    expect(await takeLayoutShift(page)).toBeLessThan(0.05);
    await expect(page.getByText("clipmill.local")).toHaveCount(0);
    await expect(page.getByLabel("Video links")).toHaveValue(links[1]!);
    await page.getByRole("button", { name: "Clear All" }).click();
    await expect(files).toHaveCount(0);
    await expect(generate).toBeDisabled();
  });

  test("waits for uploads, and asks for the missing key where it is saved", async ({ page }) => {
    await saveKey(null);
    try {
      const sending = Promise.withResolvers<void>();
      await page.route("**/uploads?*", async (route) => {
        await sending.promise;
        await route.continue();
      });
      await page.reload();
      await page.getByLabel("Video links").fill(links[0]!);
      const generate = page.getByRole("button", { name: "Generate" });
      await expect(generate).toBeEnabled();
      await page.getByLabel("Video files").setInputFiles(path.join(folder, "blue.mp4"));
      await expect(page.getByText("1 upload is not finished.")).toBeVisible();
      await expect(generate).toBeDisabled();
      sending.resolve();
      await expect(generate).toBeEnabled();
      await page.getByRole("link", { name: "Add one in Settings" }).click();
      await expect(page).toHaveURL(/\/settings\/general#api-keys$/);
      await expect(page.getByRole("heading", { name: "API Keys" })).toBeInViewport();
    } finally {
      await saveKey(TWIN_KEY);
    }
  });

  // spec 4.6.1, 9.15
  test("shows each caption as it arrives, and restores the running batch after a reload", async ({ page }) => {
    openAi.behave((chat) => (isRed(chat) ? { kind: "normal" } : { kind: "gated" }));
    await page.getByLabel("Video links").fill(links.join("\n"));
    await page.getByRole("button", { name: "Generate" }).click();
    await expect(captionOf(page, 1)).toHaveValue(/^Seen: red/);
    await expect(page.getByText("Analyzing video 2/2...")).toBeVisible();
    await expect(page.getByText("Writing the caption")).toBeVisible();
    await page.reload();
    await expect(page.getByText("Session Restored")).toBeVisible();
    await expect(page.getByRole("button", { name: "Generating..." })).toBeVisible();
    await expect(captionOf(page, 1)).toHaveValue(/^Seen: red/);
    openAi.release();
    await expect(captionOf(page, 2)).toHaveValue(/^Seen: blue/);
    await expect(page.getByText("Captions Generated")).toBeVisible();
    expect(openAi.chats.filter(isRed)).toHaveLength(1);
  });

  // spec 2.5.2, 3.7, 4.6.2, 4.6.3, 4.6.4, 9.15
  test("keeps its session for a day, saved after a pause of 500 ms, until cleared", async ({ page }) => {
    const saved = () =>
      page.evaluate(() => {
        const key = Object.keys(localStorage).find((name) => name.startsWith("clipmill-caption-lab/"));
        return key ? (JSON.parse(localStorage.getItem(key)!) as Record<string, unknown>) : null;
      });
    await page.getByLabel("Video links").fill(links[0]!);
    expect(await saved()).toBeNull();
    await expect.poll(saved).toMatchObject({ videoLinks: links[0], generating: false, generatedCaptions: [] });
    expect((await saved())!.timestamp).toBeGreaterThan(Date.now() - 60_000);
    await page.reload();
    await expect(page.getByText("Session Restored")).toBeVisible();
    await expect(page.getByLabel("Video links")).toHaveValue(links[0]!);
    await page.getByRole("button", { name: "Clear All" }).click();
    await expect(page.getByText("Session Cleared")).toBeVisible();
    await expect(page.getByLabel("Video links")).toHaveValue("");
    await expect.poll(saved).toBeNull();

    await page.evaluate(() => {
      const key = "clipmill-caption-lab/";
      const user = (JSON.parse(localStorage.getItem("clipmill-auth")!) as { user: { id: string } }).user.id;
      const old = { videoLinks: "old", generating: false, generatedCaptions: [], currentProgress: "", batchId: null };
      localStorage.setItem(key + user, JSON.stringify({ ...old, timestamp: Date.now() - 24 * 60 * 60 * 1000 }));
    });
    await page.reload();
    await expect(page.getByLabel("Video links")).toHaveValue("");
    await expect.poll(saved).toBeNull();
  });

  // spec 8.1, 8.6, 8.7
  test("explains failed captions in the product's words and can retry", async ({ page }) => {
    await saveKey("sk-rejected-by-the-service");
    try {
      await page.getByLabel("Video links").fill(links.join("\n"));
      await page.getByRole("button", { name: "Generate" }).click();
      const toast = page.getByRole("alert").filter({ hasText: FAILED });
      await expect(toast).toContainText("OpenAI rejected the API key. Check your OpenAI API key in settings.");
      await expect(page.getByText("Error: OpenAI rejected the API key.")).toHaveCount(2);
    } finally {
      await saveKey(TWIN_KEY);
    }
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
    });
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(captionOf(page, 2)).toBeVisible();
    await page.getByRole("button", { name: "Copy All Captions" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Failed to copy to clipboard" })).toBeVisible();
    await page.getByRole("button", { name: "Clear All" }).click();
  });

  test("axe finds no issues in both themes, empty and full, wide and narrow", async ({ page }) => {
    await page.getByLabel("Video links").fill(`${links.join("\n")}\nnonsense`);
    await page.getByRole("button", { name: "Generate" }).click();
    await expect(page.getByText("Captions Generated")).toBeVisible();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.reload();
      await expect(captionOf(page, 2)).toBeVisible();
      await expectAccessible(page, `${width} px`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    }
  });
});

test("kill -9 during a batch loses no finished captions, and the key appears nowhere in plain text", async () => {
  const dataDir = path.join(folder, "killed");
  const before = await startInstalledClipmill(dataDir, environment);
  const client = await signedInClient(before.url);
  await client.functions.invoke("settings", { body: { openai_key: TWIN_KEY } });
  openAi.behave((chat) => (isRed(chat) ? { kind: "normal" } : { kind: "gated" }));
  const videoLinks = ["red", "blue"].flatMap((color) => [1, 2, 3].map((i) => drive.links(`${color}-${i}`)));
  const started = await client.functions.invoke<AnalyzeVideosResponse>("analyze-video-captions", {
    body: { videoLinks, wait: false },
  });
  const { batchId } = started.data!;
  const read = async (at: typeof client, wait: boolean) =>
    (await at.functions.invoke<AnalyzeVideosResponse>("analyze-video-captions", { body: { batchId, wait } })).data!;
  await expect
    .poll(async () => (await read(client, false)).captions.filter((caption) => caption !== ""), { timeout: 60_000 })
    .toHaveLength(3);
  const done = (await read(client, false)).captions.slice(0, 3);
  await expect.poll(() => openAi.chats.filter((chat) => !isRed(chat)).length).toBeGreaterThan(0);
  await before.kill();

  openAi.behave(() => ({ kind: "normal" }));
  const after = await startClipmillProcess(dataDir, environment);
  try {
    const ended = await read(await signedInClient(after.url), true);
    expect(ended.captions.slice(0, 3)).toEqual(done);
    expect(ended.captions.slice(3).every((caption) => caption.startsWith("Seen: blue"))).toBe(true);
    expect(openAi.chats.filter(isRed)).toHaveLength(3);
  } finally {
    await after.stop();
  }
  for (const { stdout, stderr } of [before.output(), after.output()]) expect(stdout + stderr).not.toContain(TWIN_KEY);
  expect(await filesHolding(dataDir, TWIN_KEY)).toEqual([]);
});

async function filesHolding(root: string, text: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const found: string[] = [];
  for (const file of files) if ((await readFile(file)).includes(text)) found.push(file);
  return found;
}

async function openLab(page: Page): Promise<void> {
  await injectSession(page, clipmill.url);
  await page.goto(`${clipmill.url}/auto-caption`);
  await expect(page.getByRole("heading", { name: "Caption Lab" })).toBeVisible();
}
