/** The tabs of Settings: addresses, links to sections, one Save per card, keyboard. `every-screen` measures the rest. */
import { expect, type Page } from "@playwright/test";
import { sectionOf, SETTINGS_TABS } from "#web/app/routing/settings-sections.ts";
import { test } from "#tests/support/browser/browser-test.ts";
import { signIn } from "#tests/support/browser/screens.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";

let clipmill: SeededClipmill;
let errors: string[];

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
});
test.beforeEach(async ({ page }) => {
  errors = await signIn(page, clipmill.url);
});
test.afterEach(() => {
  expect(errors).toEqual([]);
});

const tabs = (page: Page) => page.getByRole("navigation", { name: "Settings" });

test("each tab has an address and shows its cards, with one Save in each card of fields", async ({ page }) => {
  for (const { label, to, sections } of SETTINGS_TABS) {
    await page.goto(clipmill.url + to);
    await expect(tabs(page).getByRole("link", { name: label, exact: true })).toHaveAttribute("aria-current", "page");
    await expect(page).toHaveTitle(`Settings · ${label} · Clipmill`);
    await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveText(
      sections.map(({ title }) => title),
    );
    for (const { hash } of sections) {
      const card = page.locator(`#${hash}`);
      const isForm = await card.evaluate((element) => element instanceof HTMLFormElement);
      await expect(card.getByRole("button", { name: /^Save/ }), hash).toHaveCount(isForm ? 1 : 0);
      // Fields outside a form would have no Save.
      if (!isForm) await expect(card.getByRole("textbox")).toHaveCount(0);
    }
  }
});

test("a link to a section, also one from before the tabs, opens its tab at the section", async ({ page }) => {
  await page.setViewportSize({ width: 1366, height: 650 });
  for (const hash of ["api-keys", "destinations", "embedded-pages", "audit-log"] as const) {
    const { title, to } = sectionOf(hash)!;
    await page.goto("about:blank");
    await page.goto(`${clipmill.url}/settings#${hash}`);
    await expect(page).toHaveURL(`${clipmill.url}${to}#${hash}`);
    await expect(page.getByRole("heading", { name: title, exact: true, level: 2 })).toBeInViewport();
    await page.waitForLoadState("networkidle");
    // As far up as the page allows, below the sticky header.
    const place = await page.locator(`#${hash}`).evaluate((section) => {
      const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
      return {
        distance: Math.round(section.getBoundingClientRect().top - document.querySelector("header")!.clientHeight),
        isAtEnd: scrollTop + clientHeight >= scrollHeight - 1,
      };
    });
    expect(place.distance, hash).toBeGreaterThanOrEqual(0);
    const isFirst = SETTINGS_TABS.some(({ sections }) => sections[0].hash === hash);
    if (!place.isAtEnd && !isFirst) expect(place.distance, hash).toBeLessThanOrEqual(1);
  }
  await page.goto(`${clipmill.url}/settings`);
  await expect(page).toHaveURL(`${clipmill.url}/settings/general`);
  await page.goto(`${clipmill.url}/settings/no-such-tab`);
  await expect(page.getByText("Oops! Page not found")).toBeVisible();
});

test("another tab asks before it discards unsaved text, a link to the same tab does not", async ({ page }) => {
  await page.goto(`${clipmill.url}/settings/general`);
  await page.getByLabel("Default variants").fill("4");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Find a job, set or page" })).toBeFocused();
  await page.keyboard.type("finished files");
  await expect(page.getByRole("option").first()).toContainText("Finished Files");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${clipmill.url}/settings/general#finished-files`);
  await tabs(page).getByRole("link", { name: "System" }).click();
  const question = page.getByRole("alertdialog", { name: "Discard changes?" });
  await expect(question).toContainText("Your changes to Default Processing Options won't be saved.");
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(page.getByLabel("Default variants")).toHaveValue("4");
  await tabs(page).getByRole("link", { name: "System" }).click();
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(page).toHaveURL(`${clipmill.url}/settings/system`);
});

test("tabs are links that the keyboard reaches and follows, and Back returns", async ({ page }) => {
  await page.goto(`${clipmill.url}/settings/general`);
  await expect(page.getByRole("heading", { name: "API Keys" })).toBeVisible();
  await tabs(page).getByRole("link", { name: "General" }).focus();
  for (const { label, to } of SETTINGS_TABS.slice(1)) {
    await page.keyboard.press("Tab");
    await expect(tabs(page).getByRole("link", { name: label, exact: true })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(clipmill.url + to);
  }
  await page.goBack();
  await expect(page).toHaveURL(`${clipmill.url}/settings/automation`);
  await expect(page.getByRole("heading", { name: "Webhooks", exact: true })).toBeVisible();
});
