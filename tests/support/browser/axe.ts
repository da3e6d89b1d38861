import axe from "axe-core";
import { expect, type Page } from "@playwright/test";
import { settle } from "./settle.ts";

/** Invisible focus traps around an open list or dialog, which axe reports as violations. */
const FOCUS_GUARDS = "[data-base-ui-focus-guard]";

const COLOR_RULES = ["color-contrast", "link-in-text-block"];

type AxeOptions = {
  exclude?: string;
  withoutRules?: readonly string[];
  onlyRules?: readonly string[];
};

/** Runs inside the page in a fifth of a second; `@axe-core/playwright` opens another page, which takes seconds. */
async function findAxeViolations(
  page: Page,
  { exclude, withoutRules = [], onlyRules }: AxeOptions = {},
): Promise<string[]> {
  await settle(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ selectors, rules, only }) => {
      const { axe: loaded } = window as unknown as { axe: typeof axe };
      const { violations } = await loaded.run(
        { exclude: selectors },
        {
          resultTypes: ["violations"],
          ...(only && { runOnly: { type: "rule" as const, values: only } }),
          rules: Object.fromEntries(rules.map((id) => [id, { enabled: false }])),
        },
      );
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    },
    {
      selectors: [FOCUS_GUARDS, ...(exclude ? [exclude] : [])],
      rules: withoutRules,
      only: onlyRules && [...onlyRules],
    },
  );
}

/** Checks both themes. Keeps open dialogs and menus open. */
export async function expectAccessible(page: Page, what = "", options: AxeOptions = {}): Promise<void> {
  const shown = await page.evaluate(() => document.documentElement.dataset.theme ?? "dark");
  expect(await findAxeViolations(page, options), `${what}, ${shown}`).toEqual([]);
  const other = shown === "dark" ? "light" : "dark";
  await setTheme(page, other);
  expect(await findAxeViolations(page, { ...options, onlyRules: COLOR_RULES }), `${what}, ${other}`).toEqual([]);
  await setTheme(page, shown);
}

async function setTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate((chosen) => {
    document.documentElement.dataset.theme = chosen;
  }, theme);
}
