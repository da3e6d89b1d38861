/** npm run screenshots [name …]: saves screens with data in three sizes and both themes to screenshots/. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { pino } from "pino";
import { findBrowser, launchOptions } from "#tests/support/browser/chromium.ts";
import { EMAIL, PASSWORD } from "#tests/support/servers/clipmill-process.ts";
import { SETTINGS_TABS } from "#web/app/routing/settings-sections.ts";
import { findWebApp } from "#programs/first-start/find-web-app.ts";
import { readConfig } from "../src/config.ts";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { addFrom, fillVideoLinks, paste } from "#tests/support/browser/job-screen.ts";
import { startClipmill } from "#programs/start/start-clipmill.ts";
import { seedEverything } from "./seed/seed-everything.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const FOLDER = path.join(ROOT, "screenshots");
const SIZES = [
  // The smallest laptop, without scrolling.
  { width: 1366, height: 650, isFullPage: false },
  { width: 1440, height: 900, isFullPage: true },
  { width: 390, height: 844, isFullPage: true },
];
const THEMES = ["dark", "light"];

type Size = (typeof SIZES)[number];
type Shot = { name: string; path: string; open?: (page: Page) => Promise<void> };

const only = process.argv.slice(2);
const dataDir = await mkdtemp(path.join(os.tmpdir(), "clipmill-screenshots-"));
await rm(FOLDER, { recursive: true, force: true });
await findWebApp(() => console.log("Building the web app."));
const config = readConfig({
  DATA_DIR: dataDir,
  PORT: "0",
  REDIRECTOR_PORT: "0",
  ADMIN_PASSWORD: PASSWORD,
  LOG_LEVEL: "error",
});
const log = pino({ level: config.LOG_LEVEL }, pino.destination(2));
const clipmill = await startClipmill(config, findWebApp, log);
/** In the library. */
let clips: string[] = [];
const browser = await chromium.launch(launchOptions(findBrowser()));
try {
  const { jobId, transcriptId } = await seedEverything(clipmill);
  clips = (await readSamples()).map(libraryLink);
  for (const size of SIZES) for (const theme of THEMES) await shootAll(browser, size, theme, { jobId, transcriptId });
  console.log(`Saved the screenshots in ${path.relative(process.cwd(), FOLDER)}/`);
} finally {
  await browser.close();
  await clipmill.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function readSamples(): Promise<string[]> {
  const files = clipmill.context.db.selectFrom("library_files").select("id").where("kind", "=", "video");
  return (await files.orderBy("name").limit(4).execute()).map(({ id }) => id);
}

type Ids = { jobId: string; transcriptId: string };

async function shootAll(from: Browser, size: Size, theme: string, ids: Ids) {
  const context = await from.newContext({
    viewport: { width: size.width, height: size.height },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.addInitScript((name) => localStorage.setItem("clipmill-theme", name), theme);
  const shoot = async ({ name, path: address, open }: Shot) => {
    await page.goto(clipmill.url + address);
    await stand(page);
    await open?.(page);
    await stand(page);
    const file = path.join(FOLDER, `${name}-${size.width}-${theme}.png`);
    await page.screenshot({ path: file, fullPage: size.isFullPage && open === undefined });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (overflow > 0) console.log(`${name} at ${size.width} px is ${overflow} px too wide`);
  };
  await shoot({ name: "sign-in", path: "/" });
  await signIn(page);
  for (const shot of shotsOf(ids)) if (only.length === 0 || only.includes(shot.name)) await shoot(shot);
  await context.close();
}

function shotsOf({ jobId, transcriptId }: Ids): Shot[] {
  return [
    { name: "dashboard", path: "/" },
    { name: "create", path: "/video-processing" },
    { name: "create-filled", path: "/video-processing", open: fillForm },
    { name: "create-advanced", path: "/video-processing", open: openAdvanced },
    { name: "create-table", path: "/video-processing", open: openTable },
    { name: "create-slots", path: "/video-processing", open: fillSlots },
    { name: "caption-sets", path: "/caption-sets" },
    { name: "caption-set-new", path: "/caption-sets", open: press("Create New Set") },
    { name: "audio-sets", path: "/audio-sets" },
    { name: "presets", path: "/presets" },
    { name: "api-reference", path: "/api-reference" },
    { name: "library", path: "/library" },
    { name: "library-delete", path: "/library", open: askToDelete },
    { name: "job-history", path: "/job-history" },
    { name: "job-history-no-match", path: "/job-history?search=nothing%20like%20it" },
    { name: "job", path: `/jobs/${jobId}` },
    { name: "review", path: `/jobs/${jobId}/review` },
    { name: "review-variants", path: `/jobs/${jobId}/review`, open: pressKey("v") },
    { name: "review-compare", path: `/jobs/${jobId}/review`, open: pressKey("c") },
    { name: "caption-lab", path: "/auto-caption" },
    { name: "transcripts", path: "/transcripts" },
    { name: "transcript", path: `/transcripts/${transcriptId}` },
    { name: "transcript-edited", path: `/transcripts/${transcriptId}`, open: editTranscript },
    { name: "transcript-find", path: `/transcripts/${transcriptId}`, open: findInTranscript },
    { name: "watch-folders", path: "/watch-folders" },
    { name: "cloak-domains", path: "/cloak-manager" },
    {
      name: "cloak-routes",
      path: "/cloak-manager",
      open: (page) => page.getByRole("tab", { name: /^Routes/ }).click(),
    },
    { name: "batch-scheduler", path: "/bulk-scheduler" },
    { name: "warmup-robot", path: "/warmup-automation" },
    ...SETTINGS_TABS.map(({ to }) => ({ name: to.slice(1).replace("/", "-"), path: to })),
    { name: "destination-new", path: "/settings#new-destination", open: chooseS3 },
    { name: "not-found", path: "/no/such/page" },
    { name: "palette", path: "/", open: press("Find a job, set or page") },
  ];
}

/** Later shots find its draft. */
async function fillForm(page: Page): Promise<void> {
  if (await page.getByRole("grid", { name: "Videos" }).isVisible()) return;
  await fillVideoLinks(page, clips.join("\n"));
  for (const section of ["Captions", "Watermark"]) await page.getByRole("switch", { name: section }).click();
  await page
    .getByRole("textbox", { name: "Captions" })
    .fill("Wait for the pour at the end\nSave this for your next shift");
}

/** Each theme and size adds an edit. */
async function editTranscript(page: Page): Promise<void> {
  await page.getByRole("list", { name: "Lines" }).getByRole("button").nth(4).dblclick();
  await page.keyboard.press("End");
  await page.keyboard.type("s");
  await page.keyboard.press("Tab");
}

async function findInTranscript(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Find and replace" }).click();
  await page.getByRole("searchbox", { name: "Find" }).fill("harbor");
  await page.keyboard.press("Enter");
}

async function openAdvanced(page: Page): Promise<void> {
  await fillForm(page);
  await page.getByRole("button", { name: /^Advanced Options/ }).click();
  await page.getByRole("checkbox", { name: "1:1" }).check();
  await page.getByLabel("Languages").fill("de, ja, ar");
}

async function fillSlots(page: Page): Promise<void> {
  await fillForm(page);
  await addFrom(page, "Combine clips in slots");
  const body = page.getByLabel("Links of Body");
  await body.fill(clips.slice(0, 3).join(" "));
  await body.press("Enter");
  await page.getByRole("button", { name: /^Show \d+ combinations/ }).click();
}

async function openTable(page: Page): Promise<void> {
  await fillForm(page);
  await addFrom(page, "Add a table");
  const lines = ["link,caption,sku,price", ...clips.map((link, i) => `${link},Caption ${i + 1},A-${i},${9 + i}.90`)];
  await paste(page, page.getByLabel("Paste cells from a spreadsheet"), lines.join("\n"));
  await page.getByRole("dialog").getByRole("grid").waitFor();
}

/** Waits for a dialog or sheet, whose code may load on demand. */
function press(name: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.getByRole("button", { name, exact: true }).first().click();
    await page.getByRole("dialog").waitFor();
  };
}

async function chooseS3(page: Page): Promise<void> {
  await page.getByRole("dialog").getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: "S3 bucket" }).click();
}

function pressKey(key: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.locator("video").first().waitFor();
    await page.keyboard.press(key);
    if (key === "c") await page.getByRole("dialog", { name: "Compare" }).waitFor();
    await page.waitForFunction(() => [...document.querySelectorAll("video")].every((video) => video.readyState > 2));
  };
}

async function askToDelete(page: Page): Promise<void> {
  await page
    .getByRole("button", { name: /^More actions for/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").waitFor();
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.getByRole("banner").waitFor();
}

/** Waits for network, fonts and pictures. */
async function stand(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  });
}
