import axe from "axe-core";
import { expect, type Page } from "@playwright/test";
import { settle } from "./settle.ts";

/** Invisible elements around an open list or dialog that redirect the focus they get: axe cannot know that. */
const FOCUS_GUARDS = "[data-base-ui-focus-guard]";

type AxeOptions = {
  /** Selector of elements to skip. */
  exclude?: string;
  withoutRules?: readonly string[];
};

/**
 * Returns axe's violations with their elements. Runs inside the page in a fifth of a second; `@axe-core/playwright`
 * opens another page, which takes seconds.
 */
export async function findAxeFaults(page: Page, { exclude, withoutRules = [] }: AxeOptions = {}): Promise<string[]> {
  await settle(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ selectors, rules }) => {
      const { axe: loaded } = window as unknown as { axe: typeof axe };
      const { violations } = await loaded.run(
        { exclude: selectors },
        {
          resultTypes: ["violations"],
          rules: Object.fromEntries(rules.map((id) => [id, { enabled: false }])),
        },
      );
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    },
    { selectors: [FOCUS_GUARDS, ...(exclude ? [exclude] : [])], rules: withoutRules },
  );
}

/** Expects no axe violations in either theme. Keeps open dialogs and menus open. */
export async function expectAccessible(page: Page, what = ""): Promise<void> {
  const shown = await page.evaluate(() => document.documentElement.dataset.theme ?? "dark");
  for (const theme of ["dark", "light"]) {
    await setTheme(page, theme);
    expect(await findAxeFaults(page), `${what}, ${theme}`).toEqual([]);
  }
  await setTheme(page, shown);
}

async function setTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate((chosen) => {
    document.documentElement.dataset.theme = chosen;
  }, theme);
}
