/** Covers password, second step, recovery by email, and sign-out. */
import { cp } from "node:fs/promises";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { sql } from "kysely";
import { createAccount } from "#operations/accounts/create-account.ts";
import { openAuthenticator } from "#tests/support/browser/authenticator.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { type MailServer, startMailServer } from "#tests/support/twins/mail-server.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { findFreePort } from "#tests/support/network/free-port.ts";
import { watchConsole } from "#tests/support/browser/watch-console.ts";
import { WEB_ROOT } from "#programs/first-start/build-web.ts";

const PASSWORD = "correct horse battery";

let inbox: MailServer;
let server: TestServer;
let accounts = 0;
/** Each test has its own account. */
let email: string;

test.beforeAll(async () => {
  inbox = await startMailServer();
  const port = await findFreePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const { mailer } = inbox;
  server = await startTestServer(copyWebApp, { port, publicUrl, mailer });
});
test.afterAll(async () => {
  await server.close();
  await inbox.close();
});
test.beforeEach(async () => {
  accounts += 1;
  email = `reader${accounts}@clips.test`;
  await createAccount(server.context, { email, password: PASSWORD });
  inbox.mails.length = 0;
});

// spec 2.1.2
test("the form works with the keyboard only, shows that it is busy, and opens the app", async ({ page }) => {
  const faults = watchConsole(page);
  await page.goto(server.url);
  await expect(page.getByLabel("Email")).toBeFocused();
  await expectAccessible(page, "sign-in");
  const answer = Promise.withResolvers<void>();
  await page.route("**/auth/v1/token?**", async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  const button = page.getByRole("button", { name: "Signing in..." });
  await expect(button).toBeVisible();
  await page.keyboard.press("Enter");
  answer.resolve();
  await expect(page.getByText("Recent Jobs")).toBeVisible();
  expect(faults).toEqual([]);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from sessions join accounts on accounts.id = account_id where email = ${email}
  `.execute(server.context.db);
  // The second Enter opened no second session.
  expect(rows[0]!.count).toBe(1);
});

test("a sign-in that Clipmill rejected just before it became ready is sent again", async ({ page }) => {
  await page.goto(server.url);
  // With `times: 1`, Playwright would stop intercepting during the next request, which may then never be sent.
  let isStarting = true;
  await page.route("**/auth/v1/token?**", async (route) => {
    if (!isStarting) return await route.continue();
    isStarting = false;
    return await route.fulfill({ status: 503, json: { status: "starting" } });
  });
  await signIn(page, PASSWORD);
  await expect(page.getByText("Recent Jobs")).toBeVisible();
});

test("every screen works while the browser blocks storage", async ({ page }) => {
  const faults = watchConsole(page);
  await page.addInitScript(() => {
    const block = {
      configurable: true,
      get(): never {
        throw new DOMException("Access is denied for this document.", "SecurityError");
      },
    };
    Object.defineProperties(window, { localStorage: block, sessionStorage: block });
  });
  await page.goto(server.url);
  await signIn(page, PASSWORD);
  await expect(page.getByText("Recent Jobs")).toBeVisible();
  for (const screen of ["Create Jobs", "Job History", "Caption Lab", "Cloak Manager", "Settings"]) {
    await page.getByRole("link", { name: screen, exact: true }).click();
    await expect(page).toHaveTitle(new RegExp(`^${screen}`));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  expect(faults).toEqual([]);
});

// spec 8.22
test("a failed sign-in shows the provider's message, otherwise SPEC's", async ({ page }) => {
  await page.goto(server.url);
  await signIn(page, "not the password");
  await expect(page.getByRole("alert")).toHaveText("Invalid login credentials");
  await expectAccessible(page, "refused sign-in");
  await sql`update accounts set disabled_at = now() where email = ${email}`.execute(server.context.db);
  await signIn(page);
  await expect(page.getByRole("alert")).toContainText("This account has been disabled.");
  for (const fault of [500, 502, "offline"] as const) {
    await page.route("**/auth/v1/token?**", (route) =>
      fault === "offline" ? route.abort() : route.fulfill({ status: fault, body: "<html>" }),
    );
    await signIn(page);
    await expect(page.getByRole("alert")).toHaveText("An unexpected error occurred.");
    await page.unroute("**/auth/v1/token?**");
  }
});

// spec 2.2.8, 6.2
test("signing out in one tab signs out the other", async ({ context }) => {
  const [one, two] = [await context.newPage(), await context.newPage()];
  await one.goto(server.url);
  await signIn(one);
  await expect(one.getByText("Recent Jobs")).toBeVisible();
  await two.goto(server.url);
  await expect(two.getByText("Recent Jobs")).toBeVisible();
  await one.getByRole("button", { name: "Sign Out" }).click();
  await expect(one.getByLabel("Password")).toBeVisible();
  await expect(two.getByLabel("Password")).toBeVisible();
});

test("with a second step, every screen requires the code first, also after a reload", async ({ page }) => {
  const app = await setUpSecondStep();
  const faults = watchConsole(page);
  await page.goto(`${server.url}/settings`);
  await signIn(page);
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
  const code = page.getByLabel("Code");
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute("autocomplete", "one-time-code");
  await expectAccessible(page, "second step");
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await page.reload();
  await expect(code).toBeVisible();
  await page.getByRole("button", { name: "Back to sign in" }).click();
  await expect(page.getByLabel("Email")).toBeFocused();
  expect(faults).toEqual([]);

  await signIn(page);
  await code.fill("000000");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Invalid TOTP code entered");
  const digits = await app.nextCode();
  await code.fill(`${digits.slice(0, 3)} ${digits.slice(3)}`);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
});

test("with several authenticator apps, any of them can be used", async ({ page }) => {
  await setUpSecondStep("Phone");
  const tablet = await setUpSecondStep("Tablet");
  await page.goto(server.url);
  await signIn(page);
  await expect(page.getByText("“Phone”")).toBeVisible();
  await page.getByRole("button", { name: "Use “Tablet”" }).click();
  await expect(page.getByLabel("Code")).toBeFocused();
  await page.getByLabel("Code").fill(await tablet.nextCode());
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Recent Jobs")).toBeVisible();
});

test("a forgotten password is reset with an emailed link that works once", async ({ page, browser }) => {
  const faults = watchConsole(page);
  await page.goto(server.url);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expectAccessible(page, "recover");
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeFocused();
  await expectAccessible(page, "recovery sent");
  const link = await mailedLink();

  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Set a new password" })).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  await expectAccessible(page, "new password");
  // The app stays inaccessible until the password is set, also after a reload.
  await page.reload();
  const password = page.getByLabel("New password");
  await expect(password).toBeFocused();
  expect(page.url()).not.toContain("access_token");
  expect(faults).toEqual([]);
  await password.fill("short");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Passwords need at least 8 characters.");
  await password.fill("a new password");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByText("Password Changed")).toBeVisible();
  await expect(page.getByText("Recent Jobs")).toBeVisible();

  const otherBrowser = await browser.newContext();
  const elsewhere = await otherBrowser.newPage();
  await elsewhere.goto(link);
  await expect(elsewhere.getByRole("alert")).toContainText("This link has expired or has already been used.");
  expect(elsewhere.url()).not.toContain("error");
  await expectAccessible(elsewhere, "used link");
  await elsewhere.getByRole("button", { name: "Get a new link" }).click();
  await expect(elsewhere.getByRole("button", { name: "Send link" })).toBeVisible();
  await elsewhere.getByRole("button", { name: "Back to sign in" }).click();
  await signIn(elsewhere, "a new password");
  await expect(elsewhere.getByText("Recent Jobs")).toBeVisible();
  await otherBrowser.close();

  // Opening a used link keeps the current session.
  await page.goto(link);
  await expect(page.getByRole("alert")).toContainText("This link has expired or has already been used.");
  await expect(page.getByText("Recent Jobs")).toBeVisible();
});

test("with a second step, a recovery link requires the code first", async ({ page }) => {
  const app = await setUpSecondStep();
  await requestRecovery(page);
  await page.goto(await mailedLink());
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
  await page.getByLabel("Code").fill(await app.nextCode());
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("New password").fill("a new password");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByText("Recent Jobs")).toBeVisible();
});

test("an expired link does not change the password and explains what to do", async ({ page }) => {
  await requestRecovery(page);
  await page.goto(await mailedLink());
  await expect(page.getByLabel("New password")).toBeVisible();
  await sql`update sessions set created_at = now() - interval '1 hour'`.execute(server.context.db);
  await page.getByLabel("New password").fill("a new password");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("This link has expired. Go back and request a new one.");
  await page.getByRole("button", { name: "Back to sign in" }).click();
  await signIn(page);
  await expect(page.getByText("Recent Jobs")).toBeVisible();
});

test("too many emails show the provider's message, and an unreachable server SPEC's", async ({ page }) => {
  for (let mails = 0; mails < 5; mails += 1) await server.newClient().auth.resetPasswordForEmail(email);
  await page.goto(server.url);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByRole("alert")).toContainText("Too many mails.");
  await page.getByRole("button", { name: "Back to sign in" }).click();
  await page.route("**/health", (route) => route.abort());
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await expect(page.getByRole("alert")).toHaveText("An unexpected error occurred.");
});

test("without a mail server, the form points to `clipmill user reset-password`", async ({ page }) => {
  const silent = await startTestServer(copyWebApp);
  await page.goto(silent.url);
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await expect(page.getByText("Email is not set up on this installation.")).toContainText(
    "clipmill user reset-password",
  );
  await expect(page.getByRole("button", { name: "Send link" })).toHaveCount(0);
  await expectAccessible(page, "no mail server");
  await silent.close();
});

async function signIn(page: Page, password = PASSWORD): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

async function requestRecovery(page: Page): Promise<void> {
  await page.goto(server.url);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByText("we sent a link")).toBeVisible();
}

async function mailedLink(): Promise<string> {
  await expect.poll(() => inbox.mails.some((mail) => mail.to === email)).toBe(true);
  return /http:\/\/\S+/.exec(inbox.mails.find((mail) => mail.to === email)!.text)![0];
}

/** Acts in another browser. */
async function setUpSecondStep(friendlyName = "Phone") {
  const client = server.newClient();
  await client.auth.signInWithPassword({ email, password: PASSWORD });
  // With an app already set up, the session must have passed the second step.
  await sql`update sessions set second_step_at = now()`.execute(server.context.db);
  await client.auth.refreshSession();
  const { data, error } = await client.auth.mfa.enroll({ factorType: "totp", friendlyName });
  if (error) throw error;
  const app = openAuthenticator(data.totp.secret);
  const verified = await client.auth.mfa.challengeAndVerify({ factorId: data.id, code: await app.nextCode() });
  if (verified.error) throw verified.error;
  return app;
}

async function copyWebApp(folder: string): Promise<void> {
  await cp(WEB_ROOT, path.join(folder, "web"), { recursive: true });
}
