import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";
import {
  captionsOf,
  DRIVE,
  fillVideoLinks,
  openJobScreen,
  paste,
  startOf,
  toastOf,
  unexpectedErrors,
} from "#tests/support/browser/job-screen.ts";
import { signIn } from "#tests/support/browser/screens.ts";

const LINK = `${DRIVE}/video/view`;

let clipmill: SeededClipmill;
let errors: string[];

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
});

test.beforeEach(async ({ page }) => {
  errors = await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
});

test.afterEach(() => {
  // The browser logs the rejection when another tab's preview replaces this one's.
  expect(unexpectedErrors(errors)).toEqual([]);
});

test("a draft survives an immediate reload, leaving the screen, and closing the tab", async ({ page, context }) => {
  await fillDraft(page, "Half done");
  await page.reload();
  await expectDraft(page, "Half done");
  await page.getByRole("link", { name: "Job History" }).first().click();
  await expect(page).toHaveURL(/job-history/);
  await page.goBack();
  await expectDraft(page, "Half done");
  const next = await context.newPage();
  await page.close();
  await openJobScreen(next, clipmill.url);
  await expectDraft(next, "Half done");
});

test("each tab keeps its own draft", async ({ page, context }) => {
  await fillDraft(page, "The first tab");
  await page.reload();
  const other = await context.newPage();
  await openJobScreen(other, clipmill.url);
  await expect(other.getByLabel("Job name")).toHaveValue("The first tab");
  await other.getByLabel("Job name").fill("The other tab");
  await page.getByLabel("Job name").fill("The first tab again");
  await Promise.all([page.reload(), other.reload()]);
  await expectDraft(page, "The first tab again");
  await expectDraft(other, "The other tab");
  await startOf(other).click();
  await expect(toastOf(other, "Job Started")).toBeVisible();
  await page.reload();
  await expectDraft(page, "The first tab again");
});

test("starting the job clears the draft except for the settings that stay on the form", async ({ page, context }) => {
  await fillDraft(page, "Started");
  await page.getByLabel("Variants per video").fill("2");
  await startOf(page).click();
  await expect(toastOf(page, "Job Started")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Variants per video")).toHaveValue("2");
  await expect(page.getByLabel("Job name")).toHaveValue("");
  await expect(page.getByRole("switch", { name: "Captions" })).not.toBeChecked();
  const other = await context.newPage();
  await openJobScreen(other, clipmill.url);
  await expect(other.getByLabel("Job name")).toHaveValue("");
});

test("a draft can be cleared and restored", async ({ page }) => {
  const clear = page.getByRole("button", { name: "Clear draft" });
  await expect(clear).toHaveCount(0);
  await fillDraft(page, "Not wanted");
  await clear.click();
  await expect(page.getByLabel("Job name")).toBeFocused();
  await expect(page.getByLabel("Job name")).toHaveValue("");
  await expect(page.getByRole("switch", { name: "Captions" })).not.toBeChecked();
  await expect(clear).toHaveCount(0);
  await toastOf(page, "Draft Cleared").getByRole("button", { name: "Undo" }).click();
  await expectDraft(page, "Not wanted");
  await clear.click();
  await page.reload();
  await expect(page.getByLabel("Job name")).toHaveValue("");
});

test("a damaged draft is dropped", async ({ page }) => {
  await fillDraft(page, "Damaged");
  await page.reload();
  await expectDraft(page, "Damaged");
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith("clipmill-job-draft/"))!;
    localStorage.setItem(key, localStorage.getItem(key)!.replace('"standard"', '"splendid"'));
  });
  await page.reload();
  await expect(page.getByLabel("Job name")).toHaveValue("");
});

test("a draft too large for the browser's storage shows a message, and the form keeps working", async ({ page }) => {
  await fillDraft(page, "Too much");
  const caption = "x".repeat(1_000);
  const captions = Array.from({ length: 1_001 }, (_, index) => `${index}${caption}`);
  await paste(page, captionsOf(page), captions.join("\n"));
  const note = page.getByText("This form is too large to save as a draft. Closing the page discards it.");
  await expect(note).toBeVisible();
  await captionsOf(page).fill("Short again");
  await expect(note).toHaveCount(0);
  await page.reload();
  await expect(captionsOf(page)).toHaveValue("Short again");
});

async function fillDraft(page: Page, name: string): Promise<void> {
  await page.getByLabel("Job name").fill(name);
  await fillVideoLinks(page, LINK);
  // The result of the check moves everything below it.
  await expect(page.getByText("1 with a problem", { exact: true }).first()).toBeVisible();
  await page.getByRole("switch", { name: "Captions" }).check();
  await captionsOf(page).fill("One\nTwo");
}

async function expectDraft(page: Page, name: string): Promise<void> {
  await expect(page.getByLabel("Job name")).toHaveValue(name);
  await expect(page.getByLabel("Video links")).toHaveValue(LINK);
  await expect(page.getByRole("switch", { name: "Captions" })).toBeChecked();
  await expect(captionsOf(page)).toHaveValue("One\nTwo");
}
