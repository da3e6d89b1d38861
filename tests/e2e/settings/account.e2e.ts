/** The Account card: password, second step and sessions. */
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { createAccount } from "#operations/accounts/create-account.ts";
import { openAuthenticator } from "#tests/support/browser/authenticator.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { copyWebApp, startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { watchConsole } from "#tests/support/browser/watch-console.ts";

const PASSWORD = "correct horse battery";

let server: TestServer;
let accounts = 0;
/** Each test has its own account. */
let email: string;
let errors: string[];

test.beforeAll(async () => {
  server = await startTestServer(copyWebApp);
});
test.afterAll(() => server.close());
test.beforeEach(async ({ page }) => {
  accounts += 1;
  email = `owner${accounts}@clips.test`;
  await createAccount(server.context, { email, password: PASSWORD });
  errors = watchConsole(page);
  await page.goto(`${server.url}/settings/account`);
  await signIn(page, PASSWORD);
  await expect(page.getByText("This browser", { exact: true })).toBeVisible();
});

test("the card shows the email address and this browser", async ({ page }) => {
  await expect(account(page).getByText(email)).toBeVisible();
  await expect(account(page).getByText("Chrome on Linux")).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign out everywhere else" })).toHaveCount(0);
  expect(errors).toEqual([]);
});

test("changing the password requires the current one and signs out all other browsers", async ({ page }) => {
  const other = await signedInElsewhere();
  const change = account(page).getByRole("button", { name: "Change password" });
  await change.click();
  const dialog = page.getByRole("dialog", { name: "Change password" });
  const current = dialog.getByLabel("Current password");
  const next = dialog.getByLabel("New password");
  await expect(current).toBeFocused();
  await expectAccessible(page, "changing the password");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Enter your current password.")).toBeVisible();
  await current.fill("not the password");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Passwords need at least 8 characters.")).toBeVisible();
  expect(errors).toEqual([]);
  await next.fill("a new password");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("The current password is incorrect.")).toBeVisible();
  await expect(current).toHaveAttribute("aria-invalid", "true");
  await current.fill(PASSWORD);
  await next.fill("short");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Passwords need at least 8 characters.")).toBeVisible();
  await expectAccessible(page, "a password that is too short");
  await next.fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("The new password should be different from the old one.")).toBeVisible();
  await page.route("**/auth/v1/user", (route) => route.fulfill({ status: 500, body: "" }));
  await next.fill("a new password");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toHaveText("An unexpected error occurred.");
  await page.unroute("**/auth/v1/user");
  await dialog.getByRole("button", { name: "Change password" }).dblclick();
  await expect(page.getByRole("status").filter({ hasText: "Password Changed" })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(change).toBeFocused();
  expect((await other.auth.getUser()).error).not.toBeNull();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await signIn(page, "a new password");
  await expect(page.getByText("This browser", { exact: true })).toBeVisible();
});

test("a second step is set up with a QR code or secret, required at sign-in, and removed with a code", async ({
  page,
}) => {
  const other = await signedInElsewhere();
  const setUp = account(page).getByRole("button", { name: "Set up" });
  await setUp.click();
  const dialog = page.getByRole("dialog", { name: "Set up a second step" });
  const picture = dialog.getByRole("img", { name: "QR code for an authenticator app" });
  await expect(picture).toBeVisible();
  await expect(picture.locator("[style]")).toHaveCount(0);
  await expect(dialog.getByRole("textbox", { name: "Code" })).toBeFocused();
  await expectAccessible(page, "setting up a second step");
  const secret = (await dialog.getByText(/^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent())!.replaceAll(" ", "");
  const app = openAuthenticator(secret);
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Enter the code.")).toBeVisible();
  // No console or server errors so far, including the content security policy.
  expect(errors).toEqual([]);
  await dialog.getByRole("textbox", { name: "Code" }).fill("000000");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Invalid TOTP code entered")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Code" }).fill(await app.nextCode());
  await dialog.getByRole("button", { name: "Turn on" }).dblclick();
  await expect(page.getByRole("status").filter({ hasText: "Second Step On" })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(account(page).getByText("On. Signing in requires your password and a code.")).toBeVisible();
  // Turning the second step on ends sessions opened without it, except in this browser.
  expect((await other.auth.getUser()).error).not.toBeNull();
  await page.reload();
  await expect(account(page).getByText("Authenticator app", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Sign Out" }).click();
  await signIn(page, PASSWORD);
  await page.getByLabel("Code").fill(await app.nextCode());
  await page.keyboard.press("Enter");
  await account(page).getByRole("button", { name: "Remove Authenticator app" }).click();
  const removing = page.getByRole("dialog", { name: "Remove “Authenticator app”?" });
  await expect(removing.getByLabel("Code")).toBeFocused();
  await expectAccessible(page, "removing a second step");
  await removing.getByLabel("Code").fill("000000");
  await page.keyboard.press("Enter");
  await expect(removing.getByText("Invalid TOTP code entered")).toBeVisible();
  await removing.getByLabel("Code").fill(await app.nextCode());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Second Step Removed" })).toBeVisible();
  await expect(setUp).toBeVisible();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await signIn(page, PASSWORD);
  await expect(setUp).toBeVisible();
});

test("all other sessions end immediately after confirmation", async ({ page, browser }) => {
  const otherBrowser = await browser.newContext();
  const other = await otherBrowser.newPage();
  await other.goto(`${server.url}/settings/account`);
  await signIn(other, PASSWORD);
  await expect(other.getByText("2 active sessions.")).toBeVisible();
  const program = await signedInElsewhere();
  await page.reload();
  await expect(page.getByText("3 active sessions.")).toBeVisible();
  await expect(page.getByRole("list", { name: "Sessions" }).getByText("API client")).toBeVisible();
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Sign out everywhere else?" });
  await dialog.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Signed Out Elsewhere" })).toBeVisible();
  await expect(page.getByText("Signed in on this browser only.")).toBeVisible();
  expect((await program.auth.getUser()).error).not.toBeNull();
  // The other browser notices on its next call.
  await other.getByRole("link", { name: "Dashboard" }).click();
  await expect(other.getByLabel("Password")).toBeVisible();
  await otherBrowser.close();
  expect(errors).toEqual([]);
});

test("setting up a second step requires the password if the sign-in is old", async ({ page }) => {
  const isOld = { status: 400, json: { error_code: "reauthentication_needed", msg: "Please enter your password." } };
  await page.route("**/auth/v1/factors", (route) => route.fulfill(isOld), { times: 1 });
  await account(page).getByRole("button", { name: "Set up" }).click();
  const dialog = page.getByRole("dialog", { name: "Enter your password" });
  await expect(dialog.getByLabel("Current password")).toBeFocused();
  await expectAccessible(page, "confirming the password");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Enter your current password.")).toBeVisible();
  await dialog.getByLabel("Current password").fill("wrong");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("The current password is incorrect.")).toBeVisible();
  await dialog.getByLabel("Current password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Set up a second step" })).toBeVisible();
  await expect(dialog).toBeHidden();
});

test("failures show an error and can be retried", async ({ page }) => {
  await signedInElsewhere();
  await page.reload();
  await page.route("**/auth/v1/factors", (route) => route.fulfill({ status: 503, body: "" }));
  await account(page).getByRole("button", { name: "Set up" }).click();
  await expectError(page, "An unexpected error occurred.");
  await page.route("**/auth/v1/logout?**", (route) => route.fulfill({ status: 500, body: "" }));
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Sign out" }).click();
  await expectError(page, "An unexpected error occurred.");
  await page.route("**/functions/v1/sessions", (route) => route.fulfill({ status: 400, json: { error: "No." } }));
  await page.route("**/auth/v1/user", (route) => route.fulfill({ status: 400, json: { msg: "No." } }));
  await page.reload();
  await expect(page.getByText("Couldn't load your account")).toBeVisible();
  await expectAccessible(page, "an account that did not load");
  await page.unroute("**/auth/v1/user");
  await account(page).getByRole("button", { name: "Try again" }).click();
  await expect(account(page).getByText(email)).toBeVisible();
  await expect(page.getByText("Couldn't load your sessions.")).toBeVisible();
});

function account(page: Page) {
  return page.getByRole("region", { name: "Account" });
}

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

async function signedInElsewhere() {
  const client = server.newClient();
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (error) throw error;
  return client;
}

async function expectError(page: Page, text: string): Promise<void> {
  const toast = page.getByRole("alert").filter({ hasText: text });
  await expect(toast).toBeVisible();
  await toast.getByRole("button", { name: "Dismiss" }).click();
  await expect(toast).toHaveCount(0);
}
