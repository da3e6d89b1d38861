/** The Tab key reaches what the form, a job's page and the lists show, in the order in which they show it. */
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { DRIVE, openJobScreen } from "#tests/support/browser/job-screen.ts";
import { fulfillPreflight } from "#tests/support/browser/preflight.ts";
import { openDashboard, signIn } from "#tests/support/browser/screens.ts";
import { createJob, signedInClient } from "#tests/support/servers/client.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";

let clipmill: SeededClipmill;
let jobId: string;

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
  const client = await signedInClient(clipmill.url);
  const { id } = await createJob(client, { job_name: "In order", input_videos: [`${DRIVE}/in-order/view`] });
  await client.functions.invoke("vps-integration/cancel", { body: { jobId: id } });
  jobId = id;
});

test("the form: name, variants, videos, contents, options, Start", async ({ page }) => {
  await fulfillPreflight(page);
  await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
  await page.getByRole("textbox", { name: "Job name" }).fill("In order");
  await page.getByLabel("Video links").fill(`${DRIVE}/in-order/view`);
  await expect(page.getByRole("button", { name: "Edit as text" })).toBeVisible();
  expectInOrder(await tabThrough(page), [
    "Job name",
    "Variants per video",
    "Edit as text",
    "Captions",
    "Background Music",
    "Watermark",
    /^Advanced Options/,
    "Start Processing",
  ]);
});

test("a job's page: back, actions, the videos' filter", async ({ page }) => {
  await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/jobs/${jobId}`);
  await expect(page.getByRole("button", { name: "More actions" })).toBeEnabled();
  expectInOrder(await tabThrough(page), ["Back to Job History", "Rerun", "Duplicate", "More actions", "Copy job ID"]);
});

test("the lists: search, then each row with its actions", async ({ page }) => {
  await openDashboard(page, clipmill.url);
  await expect(page.getByRole("link", { name: "In order" })).toBeVisible();
  expectInOrder(await tabThrough(page), [
    "Create New Job",
    "Paste links or drop files to start a job",
    /^Saved Caption Sets/,
    "View All",
    "In order",
  ]);
  await page.goto(`${clipmill.url}/job-history`);
  await expect(page.getByRole("button", { name: "More actions for In order" })).toBeEnabled();
  expectInOrder(await tabThrough(page), [
    /^Search jobs/,
    "Select In order",
    "In order",
    "Rerun",
    "More actions for In order",
  ]);
});

/** Starts at "Skip to content", as after opening the page. Returns the names of what the screen focuses. */
async function tabThrough(page: Page): Promise<string[]> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await skip.focus();
  await page.keyboard.press("Enter");
  const names: string[] = [];
  for (let presses = 0; presses < MOST_STOPS; presses++) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => {
      const focused = document.activeElement as HTMLInputElement | null;
      if (!focused?.closest("#screen")) return null;
      return (focused.ariaLabel ?? focused.labels?.[0]?.textContent ?? focused.innerText.split("\n")[0] ?? "").trim();
    });
    if (name === null) break;
    names.push(name);
  }
  return names;
}

const MOST_STOPS = 60;

function expectInOrder(names: readonly string[], expected: readonly (string | RegExp)[]): void {
  const places = expected.map((one) =>
    names.findIndex((name) => (typeof one === "string" ? name === one : one.test(name))),
  );
  expect(places, names.join("\n")).not.toContain(-1);
  expect(places, names.join("\n")).toEqual(places.toSorted((a, b) => a - b));
}
