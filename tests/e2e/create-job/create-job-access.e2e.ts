/** Runs axe with everything open, keyboard only, on a phone, and at 400 % zoom. */
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";
import {
  audioLinksOf,
  audioPickerOf,
  captionPickerOf,
  captionsOf,
  DRIVE,
  fillVideoLinks,
  openJobScreen,
  startOf,
  toastOf,
} from "#tests/support/browser/job-screen.ts";
import { signIn } from "#tests/support/browser/screens.ts";

const LONG = "Wait for the pour at the end and save this for your next early shift ".repeat(20).trim();

let clipmill: SeededClipmill;
let client: SupabaseClient;
let errors: string[];

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
  client = await signedInClient(clipmill.url);
  await client.from("caption_sets").insert([
    { name: "Monday hooks", captions: ["One", "Two"] },
    { name: LONG.slice(0, 200), captions: [LONG] },
  ]);
  await client.from("audio_sets").insert({ name: "Calm", audio_links: [`${DRIVE}/track/view`] });
});

test.beforeEach(async ({ page }) => {
  errors = await signIn(page, clipmill.url);
});

test.afterEach(() => {
  expect(errors).toEqual([]);
});

test("axe finds no issues with everything open, in both themes", async ({ page }) => {
  await openJobScreen(page, clipmill.url);
  await expectNoViolation(page, "empty");
  await page.getByLabel("Job name").fill("A job");
  await fillVideoLinks(page, [...Array(7).keys(), `${DRIVE}/a/view`, `${DRIVE}/a/view`].join("\n"));
  await page.getByRole("button", { name: "and 2 more lines" }).click();
  await captionPickerOf(page).click();
  await expect(page.getByRole("option").first()).toBeVisible();
  await expectNoViolation(page, "list of sets");
  await page.getByRole("option", { name: /Monday/ }).click();
  await audioPickerOf(page).click();
  await page.getByRole("option", { name: /Calm/ }).click();
  await page.getByText("Mix", { exact: true }).click();
  await page.getByRole("switch", { name: "Watermark" }).check();
  await page.getByRole("button", { name: /Advanced Options/ }).click();
  await page.getByText("Multiple", { exact: true }).click();
  await expectNoViolation(page, "everything on");
  await page.getByRole("button", { name: "Save as set" }).first().click();
  await page.getByRole("button", { name: "Save set" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expectNoViolation(page, "dialog and toast");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("alert")).toHaveCount(0);
  for (const mode of ["Reference", "Custom"]) {
    await page.getByRole("button", { name: "Generate" }).click();
    await page.getByText(mode, { exact: true }).click();
    await expectNoViolation(page, `sheet, ${mode}`);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
});

// spec 8.23
test("a job with a saved set, a new set and music can be created with the keyboard only", async ({ page }) => {
  await openJobScreen(page, clipmill.url);
  await page.getByLabel("Job name").focus();
  await page.keyboard.type("By keyboard");
  await tabTo(page, page.getByLabel("Video links"));
  await page.keyboard.type(`${DRIVE}/a/view\n${DRIVE}/b/view`);
  await tabTo(page, captionPickerOf(page));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("option").first()).toBeVisible();
  await page.keyboard.type("Mon");
  await page.keyboard.press("Enter");
  await expect(captionsOf(page)).toHaveValue("One\nTwo");
  await expect(captionPickerOf(page)).toBeFocused();
  const save = page.getByRole("button", { name: "Save as set" }).first();
  await tabTo(page, save);
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Set name")).toBeFocused();
  await page.keyboard.type("Tuesday hooks");
  await page.keyboard.press("Enter");
  await expect(toastOf(page, "Caption Set Saved")).toBeVisible();
  await expect(save).toBeFocused();
  await tabTo(page, page.getByRole("button", { name: "Generate" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Generate captions" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Generate" })).toBeFocused();
  await tabTo(page, page.getByRole("switch", { name: "Background Music" }));
  await page.keyboard.press("Space");
  await tabTo(page, audioLinksOf(page));
  await page.keyboard.type(`${DRIVE}/track/view`);
  await tabTo(page, startOf(page));
  await page.keyboard.press("Enter");
  await expect(toastOf(page, "Job Started")).toContainText("Processing 2 video(s) with 1 variant(s) each");
});

for (const [name, size] of [
  ["a phone", { width: 390, height: 844 }],
  ["400 % zoom", { width: 320, height: 256 }],
] as const) {
  test(`long texts and open sheets fit ${name}`, async ({ page }) => {
    await page.setViewportSize(size);
    await openJobScreen(page, clipmill.url);
    await page.getByLabel("Job name").fill(LONG.slice(0, 200));
    await fillVideoLinks(page, `${DRIVE}/${"a".repeat(900)}/view\n${LONG}`);
    // The response moves the content below, which would close a list that is being opened there.
    await expect(page.getByText("Problem", { exact: true })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await captionPickerOf(page).click();
    await expectNoSidewaysScroll(page);
    await page.getByRole("option", { name: /Wait for the pour/ }).click();
    await expect(captionsOf(page)).toHaveValue(LONG);
    await toastOf(page, "Caption Set Loaded").getByRole("button", { name: "Dismiss" }).click();
    await page.getByRole("switch", { name: "Background Music" }).check();
    await page.getByRole("switch", { name: "Watermark" }).check();
    await page.getByRole("button", { name: /Advanced Options/ }).click();
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: "Generate" }).click();
    const sheet = page.getByRole("dialog", { name: "Generate captions" });
    await expect(sheet.getByRole("button", { name: "Generate", exact: true })).toBeInViewport();
    await expectNoSidewaysScroll(page);
    await page.keyboard.press("Escape");
    await expect(sheet).toHaveCount(0);
    await page.getByRole("button", { name: "Save as set" }).first().click();
    await expect(page.getByRole("button", { name: "Save set" })).toBeInViewport();
    await expectNoSidewaysScroll(page);
  });
}

/** Throws if 60 presses of Tab do not reach the target. */
async function tabTo(page: Page, target: ReturnType<typeof captionPickerOf>): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error("Tab does not lead there.");
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

async function expectNoViolation(page: Page, state: string): Promise<void> {
  // The search in the header is part of every screen and is tested separately.
  await expectAccessible(page, state, { exclude: "[aria-keyshortcuts]" });
}
