/** Covers password, second step, recovery by email, and sign-out. */
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { sql } from "kysely";
import { createAccount } from "#operations/accounts/create-account.ts";
import { resetPassword } from "#operations/accounts/disable-account.ts";
import { revokeAllSessions } from "#operations/accounts/sessions/revoke-sessions.ts";
import { openAuthenticator } from "#tests/support/browser/authenticator.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { type MailServer, startMailServer } from "#tests/support/twins/mail-server.ts";
import { copyWebApp, startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { findFreePort } from "#tests/support/network/free-port.ts";
import { watchConsole } from "#tests/support/browser/watch-console.ts";

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
  const errors = watchConsole(page);
  await page.goto(server.url);
  await expect(page.getByLabel("Email")).toBeFocused();
  await expectAccessible(page, "sign-in");
  const held = Promise.withResolvers<void>();
  await page.route("**/auth/v1/token?**", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  const button = page.getByRole("button", { name: "Signing in..." });
  await expect(button).toBeVisible();
  await page.keyboard.press("Enter");
  held.resolve();
  await expect(page.getByText("Recent Jobs")).toBeVisible();
  expect(errors).toEqual([]);
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
  const errors = watchConsole(page);
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
  expect(errors).toEqual([]);
});

// spec 8.22
test("a failed sign-in shows the provider's message, otherwise SPEC's", async ({ page }) => {
  await page.goto(server.url);
  await signIn(page, "not the password");
  await expect(page.getByRole("alert")).toHaveText("Invalid login credentials");
  await expectAccessible(page, "rejected sign-in");
  await sql`update accounts set disabled_at = now() where email = ${email}`.execute(server.context.db);
  await signIn(page);
  await expect(page.getByRole("alert")).toContainText("This account has been disabled.");
  for (const failure of [500, 502, "offline"] as const) {
    await page.route("**/auth/v1/token?**", (route) =>
      failure === "offline" ? route.abort() : route.fulfill({ status: failure, body: "<html>" }),
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

test("a session that ends keeps dialogs, forms and the pressed action for the same account", async ({
  page,
  context,
}) => {
  const errors = watchConsole(page);
  await sql`insert into domains (name) values ('go.example.com')`.execute(server.context.db);
  await page.goto(server.url);
  await signIn(page);
  await page.getByRole("link", { name: "Caption Sets", exact: true }).click();
  await page.getByRole("button", { name: "Create New Set" }).click();
  const editor = page.getByRole("dialog", { name: "New caption set" });
  await editor.getByLabel("Name").fill("Morning hooks");
  await editor.getByRole("textbox", { name: "Captions" }).fill("Wait for the pour");
  await endSessions();
  await editor.getByRole("button", { name: "Create set" }).click();
  await expect(page.getByText("Your session has ended. Sign in to continue.", { exact: true })).toBeVisible();
  await expect(page).toHaveTitle("Sign In · Clipmill");
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.getByLabel("Password")).toBeFocused();
  await expect(editor).toBeHidden();
  await expectAccessible(page, "ended session");
  await page.goBack();
  await expect(page.getByLabel("Password")).toBeVisible();
  expect(await canLeave(page)).toBe(false);
  await signIn(page, "not the password");
  await expect(page.getByRole("alert")).toHaveText("Invalid login credentials");
  await signIn(page);
  // The server has not acted on the rejected request, so it is sent again.
  await expect(page.getByRole("status").filter({ hasText: "Caption Set Created" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Morning hooks" })).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/caption-sets`);
  await expect(page).toHaveTitle("Caption Sets · Clipmill");
  await expect(editor).toHaveCount(0);
  expect(await canLeave(page)).toBe(true);

  // The operator signs out in another tab. The next sign-in requires a code.
  await page.getByRole("link", { name: "Cloak Manager", exact: true }).click();
  await page.getByRole("tab", { name: "Routes" }).click();
  await page.getByRole("button", { name: "New Route" }).click();
  const sheet = page.getByRole("dialog", { name: "New Route" });
  await sheet.getByRole("combobox", { name: "Domain *" }).click();
  await page.getByRole("option", { name: "go.example.com" }).click();
  await sheet.getByLabel("Slug *").fill("spring");
  const other = await context.newPage();
  await other.goto(server.url);
  await other.getByRole("button", { name: "Sign Out" }).click();
  await expect(other.getByLabel("Password")).toBeVisible();
  await expect(other.getByText("Your session has ended")).toHaveCount(0);
  await other.close();
  await expect(page.getByText("Your session has ended. Sign in to continue.")).toBeVisible();
  const app = await setUpSecondStep();
  await signIn(page);
  await page.getByLabel("Code").fill("000000");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Invalid TOTP code entered");
  await page.getByRole("button", { name: "Back to sign in" }).click();
  await signIn(page);
  await page.getByLabel("Code").fill(await app.nextCode());
  await page.keyboard.press("Enter");
  await expect(sheet.getByLabel("Slug *")).toHaveValue("spring");
  await sheet.getByLabel("Primary URL *").fill("https://shop.example/");
  await sheet.getByRole("button", { name: "Create route" }).click();
  await expect(page.getByText("Route added successfully")).toBeVisible();

  // The password is changed elsewhere.
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  const keys = page.getByRole("form", { name: "API Keys" });
  await keys.getByLabel("OpenAI API key").fill("sk-typed");
  await page.getByLabel("Default variants").fill("4");
  await resetPassword(server.context, { email, password: "a new password", removesSecondStep: true });
  await page.getByRole("button", { name: "Save defaults" }).click();
  await expect(page.getByText("Your session has ended. Sign in to continue.")).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain("sk-typed");
  await signIn(page, "a new password");
  await expect(page.getByText("Defaults Saved")).toBeVisible();
  await expect(page.getByLabel("Default variants")).toHaveValue("4");
  await expect(keys.getByLabel("OpenAI API key")).toHaveValue("sk-typed");

  // Another account gets nothing of this.
  await endSessions();
  await keys.getByRole("button", { name: "Save API keys" }).click();
  await expect(page.getByText("Your session has ended. Sign in to continue.")).toBeVisible();
  await createAccount(server.context, { email: `other-${email}`, password: PASSWORD });
  email = `other-${email}`;
  await signIn(page);
  await expect(keys.getByLabel("OpenAI API key")).toHaveValue("");
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Account" }).click();
  await expect(page.getByRole("region", { name: "Account" }).getByText(email)).toBeVisible();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page.getByLabel("Email")).toHaveValue("");
  await expect(page.getByText("Your session has ended")).toHaveCount(0);
  expect(errors.filter((error) => !error.startsWith("Failed to load resource"))).toEqual([]);
  const saved = await server.context.db.selectFrom("settings").select(["name", "value"]).execute();
  expect(saved).toEqual([{ name: "default_variants", value: "4" }]);
});

test("with a second step, every screen requires the code first, also after a reload", async ({ page }) => {
  const app = await setUpSecondStep();
  const errors = watchConsole(page);
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
  expect(errors).toEqual([]);

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
  const errors = watchConsole(page);
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
  expect(errors).toEqual([]);
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
  // A hidden screen behind the form may have other fields with this label.
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

/** False if the browser asks before a reload. */
function canLeave(page: Page): Promise<boolean> {
  return page.evaluate(() => window.dispatchEvent(new Event("beforeunload", { cancelable: true })));
}

async function endSessions(): Promise<void> {
  const { db } = server.context;
  const { id } = await db.selectFrom("accounts").select("id").where("email", "=", email).executeTakeFirstOrThrow();
  await revokeAllSessions(db, id);
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
