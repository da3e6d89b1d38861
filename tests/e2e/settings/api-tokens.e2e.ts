import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";
import { PASSWORD } from "#tests/support/servers/clipmill-process.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";

let clipmill: SeededClipmill;

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
});
test.beforeEach(async () => {
  await clipmill.db.deleteFrom("api_tokens").execute();
});

async function statusOfList(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${clipmill.url}/functions/v1/jobs?action=list`, { headers })).status;
}

test("a token is created with the keyboard, shown once, works, and can be revoked", async ({ page }) => {
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/settings/automation`);
  const section = page.getByRole("region", { name: "API Tokens" });
  await expect(section).toContainText("No tokens");
  const open = section.getByRole("button", { name: "Create token" });
  await open.press("Enter");
  const form = page.getByRole("dialog", { name: "Create an API token" });
  await form.getByLabel("Name").press("Enter");
  await expect(form).toContainText("Enter a name for the token.");
  await expectAccessible(page);
  await form.getByLabel("Name").fill("Nightly export");
  await form.getByRole("checkbox", { name: "Library and uploads" }).press("Space");
  await form.getByRole("button", { name: "Create token" }).dblclick();
  const shown = page.getByRole("dialog", { name: "Copy your token" });
  const token = (await shown.getByRole("status", { name: "Token" }).textContent())!;
  expect(token).toMatch(/^clm_[\w-]{43}$/);
  await expectAccessible(page);
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(open).toBeFocused();

  const line = section.getByRole("listitem");
  await expect(line).toHaveCount(1);
  await expect(line).toContainText(`Nightly exportclm_…${token.slice(-4)}`);
  await expect(line).toContainText("See jobs and download files · Library and uploads");
  await expect(line).toContainText("Never used · Expires ");
  expect(await page.content()).not.toContain(token);
  expect(await statusOfList(token)).toBe(200);
  await page.reload();
  await expect(line).toContainText(/Used \w+ \d+, \d\d:\d\d/);

  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoOverflow(page);
  await expectAccessible(page);
  await line.getByRole("button", { name: "Revoke Nightly export" }).click();
  const confirmation = page.getByRole("alertdialog", { name: "Revoke Nightly export?" });
  await confirmation.getByRole("button", { name: "Keep token" }).click();
  await expect(confirmation).toHaveCount(0);
  expect(await statusOfList(token)).toBe(200);
  await line.getByRole("button", { name: "Revoke Nightly export" }).click();
  await confirmation.getByRole("button", { name: "Revoke token" }).click();
  // While the question is open, the page behind it is hidden, so the line would already seem gone.
  await expect(confirmation).toHaveCount(0);
  await expect(line).toHaveCount(0);
  expect(await statusOfList(token)).toBe(401);
  expect(errors.filter((error) => !error.includes("status of 400"))).toEqual([]);
});

test("a worker token has labels instead of permissions, and the dialog shows how to start the worker", async ({
  page,
}) => {
  await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/settings/automation`);
  const section = page.getByRole("region", { name: "API Tokens" });
  await section.getByRole("button", { name: "Create token" }).click();
  const form = page.getByRole("dialog", { name: "Create an API token" });
  await form.getByLabel("Name").fill("Rented machine");
  await form.getByText("Worker", { exact: true }).click();
  await expect(form.getByRole("radio", { name: "Worker" })).toBeChecked();
  await expect(form.getByRole("checkbox")).toHaveCount(0);
  await form.getByRole("button", { name: "Create token" }).click();
  await expect(form).toContainText("Enter at least one label for the workers.");
  await form.getByLabel("Labels").fill("Rented, gpu");
  await expectAccessible(page);
  await form.getByRole("button", { name: "Create token" }).click();
  const shown = page.getByRole("dialog", { name: "Copy your token" });
  await expect(shown).toContainText(`clipmill worker --server ${clipmill.url}`);
  const token = (await shown.getByRole("status", { name: "Token" }).textContent())!;
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoOverflow(page);
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(section.getByRole("listitem")).toContainText("Worker · gpu, rented");
  expect(await statusOfList(token)).toBe(403);
  await section.getByRole("button", { name: "Revoke Rented machine" }).click();
  const question = page.getByRole("alertdialog", { name: "Revoke Rented machine?" });
  await expect(question).toContainText("their videos go to other workers");
});

test("a token requires the password if the sign-in is old", async ({ page }) => {
  const json = { code: "reauthentication_needed", error: "Enter your current password to continue." };
  await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/settings/automation`);
  await page.getByRole("region", { name: "API Tokens" }).getByRole("button", { name: "Create token" }).click();
  const form = page.getByRole("dialog", { name: "Create an API token" });
  await form.getByLabel("Name").fill("Late");
  const password = form.getByLabel("Current password");
  await expect(password).toHaveCount(0);
  await page.route("**/functions/v1/tokens", (route) => route.fulfill({ status: 403, json }), { times: 1 });
  await form.getByRole("button", { name: "Create token" }).click();
  await expect(password).toBeFocused();
  await expectAccessible(page, "confirming the password");
  await password.fill("wrong");
  await page.keyboard.press("Enter");
  await expect(form).toContainText("The current password is incorrect.");
  await password.fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Copy your token" })).toBeVisible();
});
