/** What the browser tests of the screens share. */
import { expect, type Locator, type Page } from "@playwright/test";
import { giveSession } from "../servers/give-session.ts";
import { watchConsole } from "./watch-console.ts";

/** Signs in, opens nothing yet, and returns the console's faults from then on. */
export async function signIn(page: Page, url: string): Promise<string[]> {
  const faults = watchConsole(page);
  await giveSession(page, url);
  return faults;
}

/** Opens the dashboard, signed in, and returns the console's faults from then on. */
export async function openDashboard(page: Page, url: string): Promise<string[]> {
  const faults = await signIn(page, url);
  await page.goto(url);
  await expect(page.getByText("Recent Jobs")).toBeVisible();
  return faults;
}

/** The card of the job with exactly this name. */
export function cardOf(page: Page, name: string): Locator {
  return page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("link", { name, exact: true }) });
}

/** Nothing is wider than the screen. */
export async function expectNoOverflow(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
}

/** A fault that the browser logs by itself for an answer of 4xx or 5xx, or none. */
export function isAnswerFault(fault: string): boolean {
  return /Failed to load resource|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_SOCKET|WebSocket connection to/.test(
    fault,
  );
}
