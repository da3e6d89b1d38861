import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Expects axe to find nothing wrong with what is on the page, in both themes. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  const shown = await page.evaluate(() => document.documentElement.dataset.theme ?? "dark");
  for (const theme of ["dark", "light"]) {
    await page.evaluate((chosen) => {
      document.documentElement.dataset.theme = chosen;
    }, theme);
    // What still moves has colours between two.
    await expect.poll(() => page.evaluate(countMoving)).toBe(0);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
    expect(found, `${what}, ${theme}`).toEqual([]);
  }
  await page.evaluate((theme) => {
    document.documentElement.dataset.theme = theme;
  }, shown);
}

function countMoving(): number {
  const moving = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
  return moving.filter(({ playState }) => playState === "running").length;
}
