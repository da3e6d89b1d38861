import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { changeConnection } from "#operations/connections/change-connection.ts";
import { listConnections } from "#operations/connections/list-connections.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { expectNoOverflow, isResponseError, signIn } from "#tests/support/browser/screens.ts";
import { copyWebApp, startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { type SftpServer, startSftpServer } from "#tests/support/twins/stores/sftp-server.ts";
import { type S3Server, startS3Server } from "#tests/support/twins/s3-server.ts";

let store: S3Server;
let sftp: SftpServer;
let sftpFolder: string;
let server: TestServer;
let errors: string[];

test.beforeAll(async () => {
  store = await startS3Server();
  sftpFolder = await mkdtemp(path.join(os.tmpdir(), "clipmill-sftp-"));
  sftp = await startSftpServer(sftpFolder);
  server = await startTestServer(copyWebApp, {
    hosts: { privateSources: [`127.0.0.1:${store.port}`, `127.0.0.1:${sftp.port}`] },
  });
});
test.afterAll(async () => {
  await server.close();
  await store.close();
  await sftp.close();
  await rm(sftpFolder, { recursive: true });
});
test.beforeEach(async ({ page }) => {
  errors = await signIn(page, server.url);
  await page.goto(`${server.url}/settings/sources`);
});

const section = (page: Page): Locator => page.getByRole("region", { name: "Connections" });

test("a connection is added, tested, changed and removed", async ({ page }) => {
  await expect(section(page).getByText("No connections")).toBeVisible();
  await section(page).getByRole("button", { name: "New connection" }).click();
  const sheet = page.getByRole("dialog", { name: "New connection" });
  await sheet.getByRole("button", { name: "Add connection" }).click();
  await expect(sheet.getByText("Enter the region of the buckets")).toBeVisible();
  await expect(sheet.getByLabel("Name")).toBeFocused();
  await expectAccessible(page, "a new connection");

  // By keyboard, from the first field.
  await page.keyboard.type("Raw footage");
  await page.keyboard.press("Tab");
  await page.keyboard.type(store.location.endpoint!);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("S3RVER");
  await page.keyboard.press("Tab");
  await page.keyboard.type("wrong");
  await page.keyboard.press("Tab");
  await page.keyboard.type("clips");
  // Most stores with an endpoint need it.
  await expect(sheet.getByRole("switch", { name: "Path-style addresses" })).toBeChecked();
  const tryOut = sheet.getByRole("button", { name: "Test connection" });
  await tryOut.click();
  await expect(sheet.getByText("The secret access key is wrong.")).toBeVisible();
  await sheet.getByLabel("Secret access key").fill("S3RVER");
  await expect(sheet.getByText("The secret access key is wrong.")).toHaveCount(0);
  await tryOut.click();
  await expect(sheet.getByText("The connection can read the bucket.")).toBeVisible();
  await sheet.getByRole("button", { name: "Add connection" }).dblclick();
  const row = section(page).getByRole("listitem");
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("Raw footage");
  await expect(row).toContainText("Never used");
  await row.getByRole("button", { name: "Test Raw footage" }).click();
  await expect(row.getByText("The connection can read the bucket.")).toBeVisible();

  await section(page).getByRole("button", { name: "Turn on S3 links" }).click();
  await expect(section(page).getByText("S3 links are turned off")).toHaveCount(0);
  await server.create({ job_name: "Spring", input_videos: ["s3://clips/a.mp4"] });
  await row.getByRole("button", { name: "Remove Raw footage" }).click();
  const question = page.getByRole("alertdialog", { name: "Remove Raw footage?" });
  await expect(question).toContainText('The job "Spring" needs it. Its videos that are not downloaded yet will fail.');
  await question.getByRole("button", { name: "Remove connection" }).click();
  await expect(section(page).getByText("No connections")).toBeVisible();
  expect(errors).toEqual([]);
});

test("an SFTP server's host key is accepted before anything is sent to it", async ({ page }) => {
  await section(page).getByRole("button", { name: "New connection" }).click();
  const sheet = page.getByRole("dialog", { name: "New connection" });
  for (const kind of ["Dropbox", "Google Drive", "SFTP"]) {
    await sheet.getByText(kind, { exact: true }).click();
    await expectNoOverflow(page);
  }
  await expectAccessible(page, "a new SFTP connection");
  await sheet.getByLabel("Name").fill("Editors");
  await sheet.getByLabel("Host", { exact: true }).fill("127.0.0.1");
  await sheet.getByLabel("Port").fill(String(sftp.port));
  await sheet.getByLabel("User").fill("clipmill");
  await sheet.getByLabel("Password", { exact: true }).last().fill("a-password");
  await sheet.getByRole("button", { name: "Test connection" }).click();
  await expect(sheet.getByText("Compare it with the server's own, then accept it.")).toBeVisible();
  expect(sftp.signIns).toEqual([]);
  await sheet.getByRole("button", { name: "Accept host key" }).click();
  await expect(sheet.getByLabel("Host key fingerprint")).toHaveValue(String(sftp.fields["host_key_fingerprint"]));
  await sheet.getByRole("button", { name: "Test connection" }).click();
  await expect(sheet.getByText("The connection works.")).toBeVisible();
  await sheet.getByRole("button", { name: "Add connection" }).click();
  const row = section(page).getByRole("listitem");
  await expect(row).toContainText(`SFTP, clipmill@127.0.0.1:${sftp.port}`);
  await expect(section(page).getByText("S3 links are turned off")).toHaveCount(0);
  await row.getByRole("button", { name: "Edit Editors" }).click();
  const editor = page.getByRole("dialog", { name: "Edit connection" });
  await editor.getByLabel("Port").fill("2222");
  await editor.getByRole("button", { name: "Save changes" }).click();
  await expect(editor.getByText("add 127.0.0.1:2222 to ALLOW_PRIVATE_SOURCES")).toBeVisible();
  await editor.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await row.getByRole("button", { name: "Remove Editors" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove connection" }).click();
  await expect(section(page).getByText("No connections")).toBeVisible();
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});

test("a destination's sheet adds its connection, with the host key, and keeps both if a field is wrong", async ({
  page,
}) => {
  const destinations = page.getByRole("region", { name: "Destinations" });
  await destinations.getByRole("button", { name: "New destination" }).click();
  const sheet = page.getByRole("dialog", { name: "New destination" });
  await sheet.getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: "SFTP" }).click();
  const added = sheet.getByRole("region", { name: "New connection" });
  await expect(added.getByLabel("Connection name")).toHaveValue("SFTP");
  await expect(sheet.getByRole("button", { name: "Test destination" })).toHaveCount(0);
  await added.getByLabel("Host", { exact: true }).fill("127.0.0.1");
  await added.getByLabel("Port").fill(String(sftp.port));
  await added.getByLabel("User").fill("clipmill");
  await added.getByLabel("Password", { exact: true }).last().fill("a-password");
  await sheet.getByRole("button", { name: "Add destination" }).click();
  await expect(added.getByText("Test the connection to see the server's fingerprint, then accept it.")).toBeVisible();
  await added.getByRole("button", { name: "Test connection" }).click();
  await expect(added.getByText("Compare it with the server's own, then accept it.")).toBeVisible();
  await expectAccessible(page, "a new connection in a destination's sheet");
  await added.getByRole("button", { name: "Accept host key" }).click();
  await added.getByRole("button", { name: "Test connection" }).click();
  await expect(added.getByText("The connection works.")).toBeVisible();

  // Escape asks, because the connection is not saved yet.
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").getByRole("button", { name: "Keep editing" }).click();
  await sheet.getByLabel("Name pattern").fill("{nothing}");
  await sheet.getByRole("button", { name: "Add destination" }).click();
  await expect(added).toBeVisible();
  expect(await listConnections(server.context)).toEqual([]);
  await sheet.getByLabel("Name pattern").fill("");
  await added.getByRole("button", { name: "Save connection" }).click();
  await expect(added).toHaveCount(0);
  await expect(sheet.getByRole("combobox", { name: "Connection" })).toHaveText("SFTP");
  await sheet.getByRole("button", { name: "Test destination" }).click();
  await expect(sheet.getByText("Clipmill can write to this destination.")).toBeVisible();
  await sheet.getByRole("combobox", { name: "Connection" }).click();
  await page.getByRole("option", { name: "New connection" }).click();
  await expect(added.getByLabel("Connection name")).toHaveValue("SFTP 2");
  await sheet.getByRole("combobox", { name: "Connection" }).click();
  await page.getByRole("option", { name: "SFTP", exact: true }).click();
  await expect(added).toHaveCount(0);
  await sheet.getByRole("button", { name: "Add destination" }).click();
  await expect(destinations.getByRole("listitem")).toContainText("SFTP");
  await expect(destinations.getByRole("button", { name: "New destination" })).toBeFocused();
  await expect(section(page).getByRole("listitem")).toHaveCount(1);

  for (const [place, name] of [
    [destinations, "destination"],
    [section(page), "connection"],
  ] as const) {
    await place.getByRole("button", { name: "Remove SFTP" }).click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: `Remove ${name}` })
      .click();
    await expect(place.getByText(`No ${name}s`)).toBeVisible();
  }
  expect(errors).toEqual([]);
});

test("a change elsewhere is not overwritten, and typed text is not lost", async ({ page }) => {
  const fields = { kind: "s3", name: "Archive", region: "eu-west-1", access_key_id: "AKIA", buckets: ["archive"] };
  await section(page).getByRole("button", { name: "New connection" }).click();
  const sheet = page.getByRole("dialog", { name: "New connection" });
  await sheet.getByLabel("Name").fill("Archive");
  await sheet.getByLabel("Region").fill("eu-west-1");
  await sheet.getByLabel("Access key ID").fill("AKIA");
  await sheet.getByLabel("Secret access key").fill("a-secret-that-is-not-shown");
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").getByRole("button", { name: "Keep editing" }).click();
  await expect(sheet.getByLabel("Secret access key")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(sheet).toHaveCount(0);
  await section(page).getByRole("button", { name: "Edit Archive" }).click();
  const editor = page.getByRole("dialog", { name: "Edit connection" });
  await expect(editor.getByLabel("Secret access key")).toHaveValue("");
  const [saved] = await listConnections(server.context);
  await changeConnection(server.context, { ...fields, id: saved!.id, version: saved!.version, name: "Old archive" });
  await editor.getByLabel("Name").fill("My archive");
  await editor.getByRole("button", { name: "Save changes" }).click();
  await expect(editor.getByText("This connection was changed elsewhere.").first()).toBeVisible();
  await expect(editor.getByLabel("Name")).toHaveValue("My archive");
  await editor.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await expect(section(page).getByRole("listitem")).toContainText("Old archive");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await expectAccessible(page, "connections on a phone");
  expect(errors.filter((error) => !isResponseError(error))).toEqual([]);
});
