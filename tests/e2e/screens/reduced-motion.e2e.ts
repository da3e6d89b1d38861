import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { injectSession } from "#tests/support/browser/inject-session.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";

let clipmill: SeededClipmill;

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
});

for (const reducedMotion of ["reduce", "no-preference"] as const) {
  test(`opening the palette, a sheet and the menu takes ${reducedMotion === "reduce" ? "no" : "some"} time with ${reducedMotion}`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion });
    await countMotion(page);
    await injectSession(page, clipmill.url);
    await page.goto(clipmill.url);
    await expect(page.getByRole("banner")).toBeVisible();
    await page.getByRole("button", { name: "Find a job, set or page" }).click();
    await expect(page.getByRole("combobox")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await page.goto(`${clipmill.url}/caption-sets`);
    await page.getByRole("button", { name: "Create New Set" }).first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Open menu" }).click();
    await expect(page.getByRole("dialog", { name: "Menu" })).toBeVisible();
    const longest = await page.evaluate(() => Number(sessionStorage.getItem("longest-motion-ms")));
    if (reducedMotion === "reduce") expect(longest).toBe(0);
    else expect(longest).toBeGreaterThan(100);
  });
}

/** Stores the longest transition or animation in this tab, in milliseconds. */
async function countMotion(page: Page): Promise<void> {
  await page.addInitScript(() => {
    for (const type of ["transitionrun", "animationstart"])
      addEventListener(
        type,
        () => {
          const running = document.getAnimations().map(({ effect }) => effect?.getComputedTiming().duration);
          const longest = Math.max(Number(sessionStorage.getItem("longest-motion-ms")), ...running.map(Number));
          sessionStorage.setItem("longest-motion-ms", String(longest));
        },
        { capture: true },
      );
  });
}
