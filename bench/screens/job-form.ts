/**
 * The form of a job in a browser whose CPU is four times slower: pasting 500 links, and key presses beside 500 links
 * and beside a table of 1,000 rows. Also counts the scripts of a first load.
 */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { chromium, type Locator, type Page } from "@playwright/test";
import { findBrowser, launchOptions } from "#tests/support/browser/chromium.ts";
import { addFrom, DRIVE, openJobScreen, paste } from "#tests/support/browser/job-screen.ts";
import { fulfillPreflight } from "#tests/support/browser/preflight.ts";
import { signIn } from "#tests/support/browser/screens.ts";
import { findWebApp } from "#programs/first-start/find-web-app.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";

const SLOWDOWN = 4;
const LINKS = 500;
const ROWS = 1_000;
const TYPED = "A name of many letters";

await findWebApp(() => console.log("Building the web app."));
const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-bench-form-"));
const clipmill = await startInstalledClipmill(path.join(folder, "data"));
const browser = await chromium.launch(launchOptions(findBrowser()));
try {
  const page = await (await browser.newContext({ viewport: { width: 1_440, height: 900 } })).newPage();
  await signIn(page, clipmill.url);
  await fulfillPreflight(page);
  for (const screen of ["/", "/video-processing"])
    console.log(`Scripts of ${screen}: ${await countScripts(page, screen)}.`);
  await openJobScreen(page, clipmill.url);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });

  const field = page.getByLabel("Video links");
  const links = Array.from({ length: LINKS }, (_, index) => `${DRIVE}/video${index}/view`);
  await watchTasks(page);
  await paste(page, field, links.join("\n"));
  await page.getByText(`${LINKS} ready`).first().waitFor();
  console.log(`Pasting ${LINKS} links: longest task ${await longestTask(page)} ms.`);
  const edit = page.getByRole("button", { name: "Edit as text" });
  if (await edit.isVisible()) await edit.click();
  await measureKeys(page, field, `Typing in the field of ${LINKS} links`, "\nnot a link");
  await measureKeys(page, page.getByLabel("Job name"), `Typing the job's name beside ${LINKS} links`, TYPED);

  await page.getByRole("button", { name: "Clear draft" }).click();
  await addFrom(page, "Add a table");
  await page.getByLabel("Table file").setInputFiles({ name: "table.csv", mimeType: "text/csv", buffer: tableOf(ROWS) });
  await page.getByRole("button", { name: /^Use \d/ }).waitFor();
  await page.getByRole("gridcell").first().click();
  await measureKeys(page, null, `Typing in a cell of ${ROWS} rows`, "https");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Use \d/ }).click();
  await page.getByText("1,000 ready").first().waitFor();
  await measureKeys(page, page.getByLabel("Job name"), `Typing the job's name beside ${ROWS} rows`, TYPED);
} finally {
  await browser.close();
  await clipmill.stop();
  await rm(folder, { recursive: true, force: true });
}

async function countScripts(page: Page, screen: string): Promise<string> {
  await page.goto(clipmill.url + screen, { waitUntil: "networkidle" });
  const scripts = await page.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith(".js"))
      .map(({ encodedBodySize }) => encodedBodySize),
  );
  return `${scripts.length}, ${Math.round(scripts.reduce((sum, size) => sum + size, 0) / 1_000)} kB`;
}

function tableOf(count: number): Buffer {
  const lines = Array.from(
    { length: count },
    (_, index) => `${DRIVE}/clip-${index}/view,Look ${index},Caption ${index}`,
  );
  return Buffer.from(["link,name,caption", ...lines].join("\n"));
}

async function watchTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = { longest: 0 };
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ type: "longtask" });
    Object.assign(window, { seen });
  });
}

function longestTask(page: Page): Promise<number> {
  return page.evaluate(() => Math.round((window as unknown as { seen: { longest: number } }).seen.longest));
}

/** From each key to the end of the next frame. Types in `field`, or in what has the focus. */
async function measureKeys(page: Page, field: Locator | null, name: string, text: string): Promise<void> {
  if (field) await field.focus();
  await page.keyboard.press("End");
  const times: number[] = [];
  for (const letter of text) {
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
    await page.keyboard.press(letter === "\n" ? "Enter" : letter === " " ? "Space" : letter);
    times.push(await page.evaluate(() => (window as unknown as { taken: Promise<number> }).taken));
  }
  const sorted = times.toSorted((a, b) => a - b);
  console.log(
    `${name}: median ${sorted[Math.floor(sorted.length / 2)]!.toFixed(0)} ms, slowest ${sorted.at(-1)!.toFixed(0)} ms.`,
  );
}
