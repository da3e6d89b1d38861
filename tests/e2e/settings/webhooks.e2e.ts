import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { cancelJob } from "#operations/jobs/cancel-job.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";
import { copyWebApp, startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { type MailServer, startMailServer } from "#tests/support/twins/mail-server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "#tests/support/twins/webhook-receiver.ts";

let receiver: WebhookReceiver;
let inbox: MailServer;
let server: TestServer;

test.beforeAll(async () => {
  receiver = await startWebhookReceiver();
  inbox = await startMailServer();
  server = await startTestServer(copyWebApp, {
    privateWebhooks: [receiver.authority],
    mailer: inbox.mailer,
    publicUrl: "https://clips.test",
  });
});
test.afterAll(async () => {
  await server.close();
  await inbox.close();
  await receiver.close();
});

test("a webhook is added, tested, read in its log, replayed, rotated and deleted", async ({ page }) => {
  const errors = await signIn(page, server.url);
  await page.goto(`${server.url}/settings/automation`);
  const section = page.getByRole("region", { name: "Webhooks" });
  await section.getByRole("button", { name: "Add webhook" }).click();
  const form = page.getByRole("dialog", { name: "Add a webhook" });
  await form.getByLabel("Address").fill("example.com");
  await form.getByRole("button", { name: "Add webhook" }).click();
  await expect(form).toContainText("Enter an address that starts with https://.");
  await form.getByLabel("Address").fill(receiver.url);
  await form.getByRole("checkbox", { name: "Job cancelled" }).press("Space");
  await expectAccessible(page, "a new webhook");
  await form.getByRole("button", { name: "Add webhook" }).dblclick();
  const shown = page.getByRole("dialog", { name: "Copy the signing secret" });
  const secret = (await shown.getByRole("status", { name: "Signing secret" }).textContent())!;
  expect(secret).toMatch(/^whsec_/);
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(shown).toHaveCount(0);
  expect(await page.content()).not.toContain(secret);

  const row = section.getByRole("listitem");
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("Nothing sent yet");
  receiver.respond((_, response) => response.writeHead(500).end("Out of order"));
  await row.getByRole("button", { name: "Test" }).click();
  await expect(row).toContainText("The receiver returned 500 (");
  await expect(row).toContainText("Test: failed");
  receiver.respond((_, response) => response.end("Thanks"));

  const { id } = await server.create({ job_name: "Spring" });
  await cancelJob(server.context, id);
  await expect.poll(() => receiver.received.map(({ event }) => event.type)).toEqual(["test", "job.cancelled"]);
  const choose = async (action: string) => {
    await row.getByRole("button", { name: "Actions for" }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  await choose("Log");
  const log = page.getByRole("dialog", { name: "Deliveries" });
  await expect(log.getByRole("listitem")).toHaveCount(2);
  const line = log.getByRole("listitem").filter({ hasText: "Job cancelled" });
  await expect(line).toContainText("Returned 200");
  await line.getByRole("button", { name: "Show details" }).click();
  await expect(line.getByRole("region", { name: "Body" })).toContainText('"job_name": "Spring"');
  await expect(line.getByRole("region", { name: "Response" })).toContainText("Thanks");
  await expectAccessible(page, "the log of a webhook");
  await line.getByRole("button", { name: "Replay" }).click();
  await expect(log.getByRole("listitem")).toHaveCount(3);
  expect(receiver.received).toHaveLength(3);
  expect(receiver.received[2]!.id).toBe(receiver.received[1]!.id);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await log.getByRole("button", { name: "Close" }).last().click();
  await expect(log).toHaveCount(0);
  await expectNoOverflow(page);
  await expectAccessible(page, "webhooks on a phone");

  await choose("Rotate secret");
  await page.getByRole("alertdialog").getByRole("button", { name: "Rotate secret" }).click();
  await expect(shown.getByRole("status", { name: "Signing secret" })).not.toHaveText(secret);
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(row).toContainText("Previous secret valid until");
  await row.getByRole("switch", { name: "Send events" }).press("Space");
  await expect(row).toContainText("Off");
  await choose("Delete");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete webhook" }).click();
  await expect(section.getByText("No webhooks")).toBeVisible();
  expect(errors).toEqual([]);
});

test("an account turns on mails about its jobs", async ({ page }) => {
  await signIn(page, server.url);
  await page.goto(`${server.url}/settings/account`);
  const wantsMail = page.getByRole("switch", { name: "Email me when my job ends" });
  await expect(wantsMail).not.toBeChecked();
  await wantsMail.press("Space");
  await expect(wantsMail).toBeChecked();
  await page.reload();
  await expect(wantsMail).toBeChecked();
});
