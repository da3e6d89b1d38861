/** Sign-in at an OpenID provider, which has its own page, and without passwords. */
import { expect, type Page } from "@playwright/test";
import { sql } from "kysely";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectNoOverflow, isResponseError } from "#tests/support/browser/screens.ts";
import { watchConsole } from "#tests/support/browser/watch-console.ts";
import { copyWebApp, startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { findFreePort } from "#tests/support/network/free-port.ts";
import { type OpenIdTwin, startOpenIdTwin } from "#tests/support/twins/openid/openid-twin.ts";

let acme: OpenIdTwin;
let server: TestServer;
/** Without passwords. */
let closed: TestServer;

test.beforeAll(async () => {
  acme = await startOpenIdTwin();
  acme.people.set("ada", { email: "ada@acme.test", email_verified: true });
  server = await startTestServer(copyWebApp, { port: await findFreePort(), openId: acme.openId() });
  const openId = acme.openId();
  closed = await startTestServer(copyWebApp, { port: await findFreePort(), openId, hasPasswords: false });
  acme.accept(server.url);
  acme.accept(closed.url);
});
test.afterAll(async () => {
  await server.close();
  await closed.close();
  await acme.close();
});

const providerButton = (page: Page) => page.getByRole("button", { name: "Sign in with Acme" });

async function signInAtAcme(page: Page): Promise<void> {
  await expect(page).toHaveTitle("Acme");
  await page.getByLabel("User").fill("ada");
  await page.getByRole("button", { name: "Continue" }).click();
}

test("the button leads to the provider and back to the same page, signed in; proof and sign-out go there too", async ({
  page,
}) => {
  const errors = watchConsole(page);
  await page.goto(`${server.url}/settings/automation`);
  await expect(page.getByLabel("Email")).toBeFocused();
  await expectAccessible(page, "sign-in with a provider");
  await providerButton(page).click();
  await signInAtAcme(page);
  await expect(page.getByRole("heading", { name: "API Tokens" })).toBeVisible();
  expect(page.url()).toBe(`${server.url}/settings/automation`);

  await sql`update sessions set proved_at = now() - interval '1 hour'`.execute(server.context.db);
  await page.getByRole("button", { name: "Create token" }).click();
  const dialog = page.getByRole("dialog", { name: "Create an API token" });
  await dialog.getByLabel("Name").fill("Nightly");
  await dialog.getByRole("button", { name: "Create token" }).click();
  await expect(dialog.getByText("Confirm that it's you to create the token.")).toBeVisible();
  await expect(dialog.getByLabel("Current password")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Sign in again" }).click();
  await signInAtAcme(page);
  await page.getByRole("button", { name: "Create token" }).click();
  await dialog.getByLabel("Name").fill("Nightly");
  await dialog.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByRole("dialog", { name: "Copy your token" })).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();

  await page.getByRole("link", { name: "Account", exact: true }).click();
  await expect(page.getByText("You sign in with Acme. Clipmill stores no password.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Change password" })).toHaveCount(0);
  await page.getByRole("button", { name: "Sign Out", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`^${acme.issuer}`));
  await page.getByRole("button", { name: "Sign me out" }).click();
  await expect(providerButton(page)).toBeVisible();
  expect(page.url()).toBe(`${server.url}/`);
  // Only the token that had to wait for the proof.
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});

test("without passwords, only the button is shown; a problem at the provider is one sentence above it", async ({
  page,
}) => {
  await page.goto(closed.url);
  await expect(providerButton(page)).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expect(page.getByRole("button")).toHaveCount(1);
  await expectAccessible(page, "sign-in without passwords");
  acme.faults.push({ path: "/.well-known/", response: { status: 503, body: "" } });
  await providerButton(page).click();
  await expect(page.getByRole("alert")).toHaveText("Acme could not be reached. Try again in a moment.");
  await expect(page.getByRole("button", { name: "Get a new link" })).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoOverflow(page);
  await expectAccessible(page, "provider down, on a phone");
  await providerButton(page).click();
  await signInAtAcme(page);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(providerButton(page)).toHaveCount(0);
});
