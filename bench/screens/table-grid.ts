/**
 * The grid of a table with 10,000 rows and 9 columns, in a browser: time from a key to the next frame, and frames while
 * scrolling.
 */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { chromium, type Page } from "@playwright/test";
import { findBrowser, launchOptions } from "#tests/support/browser/chromium.ts";
import { addFrom, DRIVE, openJobScreen } from "#tests/support/browser/job-screen.ts";
import { fulfillPreflight } from "#tests/support/browser/preflight.ts";
import { signIn } from "#tests/support/browser/screens.ts";
import { findWebApp } from "#programs/first-start/find-web-app.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";

const ROWS = 10_000;
const PROBLEMS = 20;
const SCROLLS = 60;
const LETTERS = ["a", "b", "c", "d", "e", "f", "g", "h"];

await findWebApp(() => console.log("Building the web app."));
const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-bench-grid-"));
const clipmill = await startInstalledClipmill(path.join(folder, "data"));
const browser = await chromium.launch(launchOptions(findBrowser()));
try {
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
  await signIn(page, clipmill.url);
  await fulfillPreflight(page);
  await openJobScreen(page, clipmill.url);
  await addFrom(page, "Add a table");
  const startedMs = performance.now();
  const file = { name: "table.csv", mimeType: "text/csv", buffer: Buffer.from(tableOf(ROWS)) };
  await page.getByLabel("Table file").setInputFiles(file);
  await page.getByText(`${PROBLEMS} problems`).waitFor();
  console.log(`File to grid with all problems: ${Math.round(performance.now() - startedMs)} ms.`);
  await page.getByRole("button", { name: "Next problem" }).click();
  await page.keyboard.press("F2");
  console.log(`Typing in a cell: ${await measureKeys(page, LETTERS)}.`);
  console.log(`Keeping the cell: ${await measureKeys(page, ["Enter"])}.`);
  console.log(`Moving: ${await measureKeys(page, ["ArrowDown", "ArrowRight", "PageDown", "ArrowLeft", "ArrowUp"])}.`);
  await page.mouse.move(700, 500);
  console.log(`Scrolling ${SCROLLS} x 600 px: ${await measureScroll(page)}.`);
  await page.getByRole("checkbox", { name: /^Skip \d/ }).check();
  await page.getByRole("button", { name: /^Use \d/ }).click();
  await page.getByRole("grid", { name: "Videos" }).waitFor();
  await page.getByText("1,000 ready").first().waitFor();
  await page.getByLabel("Job name").focus();
  console.log(`Typing the job's name next to the rows: ${await measureKeys(page, LETTERS)}.`);
} finally {
  await browser.close();
  await clipmill.stop();
  await rm(folder, { recursive: true, force: true });
}

function tableOf(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const format = index % (count / PROBLEMS) === 7 ? "nine" : "9:16";
    return `${DRIVE}/clip-${index}/view,Look ${index},Caption ${index},,${format},0:02,SKU-${index},Summer,Client ${index % 7}`;
  });
  return ["link,name,caption,caption_2,format,start_seconds,sku,season,client", ...lines].join("\n");
}

/** From each key to the end of the next frame. */
async function measureKeys(page: Page, keys: readonly string[]): Promise<string> {
  const times: number[] = [];
  for (const key of keys) {
    await page.evaluate(() => {
      const taken = new Promise<number>((resolve) => {
        const measure = () => {
          const pressedMs = performance.now();
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressedMs)));
        };
        window.addEventListener("keydown", measure, { once: true, capture: true });
      });
      Object.assign(window, { taken });
    });
    await page.keyboard.press(key);
    times.push(await page.evaluate(() => (window as unknown as { taken: Promise<number> }).taken));
  }
  return describeTimes(times);
}

async function measureScroll(page: Page): Promise<string> {
  const frames = page.evaluate(
    (count) =>
      new Promise<number[]>((resolve) => {
        const gaps: number[] = [];
        let lastMs = performance.now();
        const tick = (nowMs: number) => {
          gaps.push(nowMs - lastMs);
          lastMs = nowMs;
          if (gaps.length < count) requestAnimationFrame(tick);
          else resolve(gaps);
        };
        requestAnimationFrame(tick);
      }),
    SCROLLS,
  );
  for (let scroll = 0; scroll < SCROLLS; scroll++) await page.mouse.wheel(0, 600);
  return describeTimes(await frames);
}

function describeTimes(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return `median ${sorted[Math.floor(sorted.length / 2)]!.toFixed(1)} ms, slowest ${sorted.at(-1)!.toFixed(1)} ms`;
}
