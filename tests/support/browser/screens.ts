import { expect, type Locator, type Page } from "@playwright/test";
import { injectSession } from "./inject-session.ts";
import { watchConsole } from "./watch-console.ts";

/** Opens no page. Returns a live array of console errors. */
export async function signIn(page: Page, url: string): Promise<string[]> {
  const errors = watchConsole(page);
  await injectSession(page, url);
  return errors;
}

/** Returns a live array of console errors. */
export async function openDashboard(page: Page, url: string): Promise<string[]> {
  const errors = await signIn(page, url);
  await page.goto(url);
  await expect(page.getByText("Recent Jobs")).toBeVisible();
  return errors;
}

export function cardOf(page: Page, name: string): Locator {
  return page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("link", { name, exact: true }) });
}

/** After a resize, lists are laid out again in the next frame. */
export async function expectNoOverflow(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
    .toBeLessThanOrEqual(0);
}

export function isResponseError(error: string): boolean {
  return /Failed to load resource|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONTENT_LENGTH_MISMATCH|ERR_SOCKET|WebSocket connection to/.test(
    error,
  );
}
