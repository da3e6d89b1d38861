/** At every width, toasts may cover text but never the view's own buttons. */
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { type ClipTwin, startClipTwin } from "#tests/support/twins/clip-twin.ts";
import { openJobScreen, startOf, toastOf, writeVideoLinks } from "#tests/support/browser/job-screen.ts";
import { signIn } from "#tests/support/browser/screens.ts";
import { type SeededClipmill, startSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";
import { settle } from "#tests/support/browser/settle.ts";

const SIZES = [
  { width: 1366, height: 650 },
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

test.use({ reducedMotion: "no-preference" });

let twin: ClipTwin;
let clipmill: SeededClipmill;

test.beforeAll(async () => {
  twin = await startClipTwin(1);
  clipmill = await startSeededClipmill(twin.environment);
});

test.afterAll(async () => {
  await clipmill.stop();
  await twin.close();
});

for (const size of SIZES) {
  test.describe(`${size.width}x${size.height}`, () => {
    test.use({ viewport: size });

    test("no toast covers Start, which stays visible with and without a job in progress", async ({ page }) => {
      const errors = await signIn(page, clipmill.url);
      await openJobScreen(page, clipmill.url);
      const start = startOf(page);
      await expectWholeInSight(page, start);
      await page.getByLabel("Job name").fill("In the way");
      await writeVideoLinks(page, twin.addClip(`gated-${size.width}`, { kind: "gated" }));
      await start.click();
      await expect(toastOf(page, "Job Started")).toBeVisible();
      await expect(page.getByRole("region", { name: "Progress" })).toContainText("In the way");
      await expectClear(page, start);
      await expectWholeInSight(page, start);
      // With more content than fits: all options open, captions to preview, and the page scrolled.
      await page.getByRole("switch", { name: "Captions", exact: true }).check();
      await page.getByRole("textbox", { name: "Captions", exact: true }).fill("One\nTwo");
      await page.getByRole("button", { name: /Advanced Options/ }).click();
      await page.mouse.wheel(0, 2_000);
      await expectWholeInSight(page, start);
      twin.release(`gated-${size.width}`);
      await expect(toastOf(page, "Processing Complete!")).toBeVisible({ timeout: 60_000 });
      await expectClear(page, start);
      expect(errors).toEqual([]);
    });

    test("no toast covers the Save button, on a scrolling page and in a sheet", async ({ page }) => {
      const errors = await signIn(page, clipmill.url);
      await page.goto(`${clipmill.url}/settings`);
      const saves = page.getByRole("main").getByRole("button", { name: /^Save/ });
      await expect(saves.first()).toBeVisible();
      await page.getByLabel("Default variants").fill(String((size.width % 7) + 2));
      const save = page
        .locator("form")
        .filter({ has: page.getByLabel("Default variants") })
        .getByRole("button", { name: /^Save/ });
      await save.click();
      await expect(toastOf(page, "Defaults Saved")).toBeVisible();
      // At every scroll position; the pointer on the toast keeps it open.
      await toastOf(page, "Defaults Saved").hover();
      await expectClear(page, save);
      for (const place of ["end", "center", "start"] as const) {
        await save.evaluate((button, block) => button.scrollIntoView({ block }), place);
        await expectClear(page, save);
      }

      await page.goto(`${clipmill.url}/caption-sets`);
      await page.getByRole("button", { name: "Create New Set" }).first().click();
      const create = page.getByRole("dialog").getByRole("button", { name: "Create set" });
      for (const count of [1, 2, 3]) {
        await create.click();
        await expect(page.getByRole("alert")).toHaveCount(count);
      }
      await expectClear(page, create);
      expect(errors).toEqual([]);
    });
  });
}

/** Expects that the button is fully visible and receives a click at its center. */
async function expectWholeInSight(page: Page, button: Locator): Promise<void> {
  await settle(page);
  const box = (await button.boundingBox())!;
  const { width, height } = page.viewportSize()!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(width);
  expect(box.y + box.height).toBeLessThanOrEqual(height);
  expect(
    await button.evaluate((element) => {
      const { x, y, width: across, height: down } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(x + across / 2, y + down / 2));
    }),
  ).toBe(true);
}

async function expectClear(page: Page, button: Locator): Promise<void> {
  await settle(page);
  const toasts = page.getByLabel("Notifications").locator("> *");
  await expect(async () => {
    expect(await toasts.count()).toBeGreaterThan(0);
    const box = (await button.boundingBox())!;
    for (const toast of await toasts.all()) {
      const other = (await toast.boundingBox())!;
      const overlaps =
        other.x < box.x + box.width &&
        box.x < other.x + other.width &&
        other.y < box.y + box.height &&
        box.y < other.y + other.height;
      expect(overlaps, JSON.stringify({ toast: other, button: box })).toBe(false);
    }
  }).toPass({ timeout: 15_000 });
}
