/** Signs a browser page in without the form, which has tests of its own: two seconds and two page loads less for each test. */
import type { Page } from "@playwright/test";
import { signedInClient } from "./client.ts";

/** Where the web app keeps its session (src/web/api/connection/client.ts). */
const STORAGE_KEY = "clipmill-auth";

/** Gives the page's browser a new session of the first account at this address. Whoever signs out stays signed out. */
export async function giveSession(page: Page, url: string): Promise<void> {
  const client = await signedInClient(url);
  const session = JSON.stringify((await client.auth.getSession()).data.session);
  await page.addInitScript(
    ({ origin, key, value }) => {
      if (location.origin !== origin || sessionStorage.getItem("session-given")) return;
      sessionStorage.setItem("session-given", "yes");
      localStorage.setItem(key, value);
    },
    { origin: new URL(url).origin, key: STORAGE_KEY, value: session },
  );
}
