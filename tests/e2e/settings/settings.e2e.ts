/** Covers keys, key tests, defaults and every toast; keys are never exposed in plain text. */
import { glob, mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { expectVideos, writeVideoLinks } from "#tests/support/browser/job-screen.ts";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { RIGHTS } from "#contract/settings/settings.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { type OpenAiTwin, startOpenAiTwin, TWIN_KEY } from "#tests/support/twins/openai/openai-twin.ts";
import { writeYtDlpTwin } from "#tests/support/twins/yt-dlp-twin.ts";
import { signIn } from "#tests/support/browser/screens.ts";

const GOOGLE_KEY = "AIzaTwin-0123456789-abcdefghijk-Gggl";
const SERVER_KEY = "sk-own-server-0123456789-Ssss";
const WRONG_KEYS = ["AIzaWrong-9876543210-zyxwvutsrq", "sk-wrong-9876543210-zyxwvutsrq"];

// The last test searches for the keys that the first one saves.
test.describe.configure({ mode: "serial" });

let folder: string;
let drive: DriveTwin;
let openAi: OpenAiTwin;
let clipmill: ClipmillProcess;
/** Includes every page. */
const responses: string[] = [];

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-settings-"));
  drive = await startDriveTwin({ apiKey: GOOGLE_KEY });
  openAi = await startOpenAiTwin();
  clipmill = await startInstalledClipmill(path.join(folder, "data"), {
    ...drive.environment,
    YT_DLP_PATH: (await writeYtDlpTwin(folder)).path,
    OPENAI_BASE_URL: openAi.url,
    LOG_LEVEL: "trace",
  });
});
test.afterAll(async () => {
  await clipmill.stop();
  await drive.close();
  await openAi.close();
  await rm(folder, { recursive: true, force: true });
});

let errors: string[];

test.beforeEach(async ({ page }) => {
  page.on("response", (response) => {
    if (/\/(?:functions|rest|auth)\//.test(response.url())) {
      void response.text().then(
        (text) => responses.push(`${response.url()} ${text}`),
        () => {},
      );
    }
  });
  errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/settings`);
  await expect(page.getByRole("heading", { name: "API Keys" })).toBeVisible();
});

// spec 2.7.1, 8.28
test("keys are tested, saved and never shown again", async ({ page }) => {
  const keys = page.getByRole("form", { name: "API Keys" });
  const google = keys.getByLabel("Google Drive API key");
  const openAiField = keys.getByLabel("OpenAI API key");
  const [testGoogle, testOpenAi] = [
    keys.getByRole("button", { name: "Test key" }).nth(0),
    keys.getByRole("button", { name: "Test key" }).nth(1),
  ];
  await expect(google).toHaveAttribute("type", "password");
  await expect(testGoogle).toBeDisabled();
  await expect(keys.getByText(/^Not set\./)).toHaveCount(2);
  await expectAccessible(page, "settings");

  await google.fill(WRONG_KEYS[0]!);
  await testGoogle.click();
  await expect(keys.getByText("Google rejected the Google Drive key. Check it in Settings.")).toBeVisible();
  await google.fill(GOOGLE_KEY);
  // The message about the previous key disappears.
  await expect(keys.getByText("Google rejected")).toHaveCount(0);
  await testGoogle.click();
  await expect(keys.getByText("Google accepts this key.")).toBeVisible();
  await openAiField.fill(WRONG_KEYS[1]!);
  await testOpenAi.click();
  await expect(keys.getByText(/OpenAI rejected the API key/)).toBeVisible();
  await openAiField.fill(TWIN_KEY);
  await testOpenAi.click();
  await expect(keys.getByText("OpenAI accepts this key.")).toBeVisible();

  let saves = 0;
  page.on("request", (request) => {
    if (request.postData()?.includes('"google_drive_key"')) saves += 1;
  });
  await keys.getByRole("button", { name: "Save API keys" }).dblclick();
  const toast = page.getByRole("status").filter({ hasText: "API Keys Saved" });
  await expect(toast).toContainText("Your API keys have been securely stored");
  expect(saves).toBe(1);
  await expectAccessible(page, "settings with a toast");
  await expect(google).toHaveValue("");
  await expect(keys.getByText(`Saved, ending in ${GOOGLE_KEY.slice(-4)}`)).toBeVisible();
  await expect(keys.getByText(`Saved, ending in ${TWIN_KEY.slice(-4)}`)).toBeVisible();

  await page.reload();
  await expect(keys.getByText(`Saved, ending in ${TWIN_KEY.slice(-4)}`)).toBeVisible();
  expect(await page.content()).not.toContain(TWIN_KEY);
  // An empty field leaves its key unchanged.
  await google.fill(GOOGLE_KEY);
  await page.keyboard.press("Enter");
  await expect(toast).toBeVisible();
  await testOpenAi.click();
  await expect(keys.getByText("OpenAI accepts this key.")).toBeVisible();
  expect(errors).toEqual([]);
});

test("a key with a space is rejected at its field", async ({ page }) => {
  const field = page.getByLabel("Google Drive API key");
  await field.fill("two words");
  await page.keyboard.press("Enter");
  await expect(
    page.getByText("An API key can contain only ASCII letters, digits and punctuation, without spaces."),
  ).toBeVisible();
  await expect(field).toBeFocused();
  expect(errors).toEqual([]);
});

test("an unreachable outside service is distinguished from a wrong key", async ({ page }) => {
  await openAi.close();
  await page.getByRole("button", { name: "Test key" }).nth(1).click();
  await expect(page.getByText("OpenAI could not be reached. Check the server's network connection.")).toBeVisible();
  openAi = await startOpenAiTwin({ port: Number(new URL(openAi.url).port) });
  expect(errors).toEqual([]);
});

test("a key is removed after confirmation", async ({ page }) => {
  const keys = page.getByRole("form", { name: "API Keys" });
  const remove = keys.getByRole("button", { name: "Remove key" }).first();
  await remove.click();
  const dialog = page.getByRole("alertdialog", { name: "Remove the Google Drive API key?" });
  await expect(dialog).toBeVisible();
  await expectAccessible(page, "removing a key");
  await dialog.getByRole("button", { name: "Keep key" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(remove).toBeFocused();
  await remove.click();
  await dialog.getByRole("button", { name: "Remove key" }).click();
  await expect(page.getByRole("status").filter({ hasText: "API Key Removed" })).toBeVisible();
  await expect(keys.getByText(/^Not set\./)).toHaveCount(1);
  await keys.getByLabel("Google Drive API key").fill(GOOGLE_KEY);
  await page.keyboard.press("Enter");
  await expect(keys.getByRole("button", { name: "Remove key" })).toHaveCount(2);
  expect(errors).toEqual([]);
});

// spec 2.7.4
test("a kind of model gets its server, model and key in one save, and a new address removes the key", async ({
  page,
}) => {
  const models = page.getByRole("form", { name: "Models" });
  const shown = (label: string) => models.getByLabel(label).filter({ visible: true });
  await expect(models.getByRole("button", { name: "Text OpenAI" })).toBeVisible();
  await models.getByRole("button", { name: "Text" }).click();
  await shown("Server address").fill("https://llm.example/v1");
  await shown("Model").fill("own-model");
  await shown("Server key").fill(SERVER_KEY);
  // It would be sent to OpenAI.
  await expect(models.getByRole("button", { name: "Test key" }).filter({ visible: true })).toBeDisabled();
  await models.getByRole("button", { name: "Save models" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Models Saved" })).toBeVisible();
  await expect(models.getByText(`Saved, ending in ${SERVER_KEY.slice(-4)}`)).toBeVisible();
  await expect(shown("Server key")).toHaveValue("");
  await expectAccessible(page, "models");
  await models.getByRole("button", { name: "Text" }).click();
  await expect(models.getByRole("button", { name: "Text llm.example · own-model" })).toBeVisible();
  await models.getByRole("button", { name: "Text" }).click();
  await shown("Server address").fill("");
  await shown("Model").fill("");
  await models.getByRole("button", { name: "Save models" }).click();
  await expect(models.getByText("Not set. Your OpenAI API key is used.").filter({ visible: true })).toBeVisible();
  expect(errors).toEqual([]);
});

// spec 2.7.2, 5.15, 7.22, 8.28, 9.6, 9.8, 9.9, 9.10
test("defaults stay within their limits, are saved, and prefill the job screen", async ({ page }) => {
  const form = page.getByRole("form", { name: "Default Processing Options" });
  const variants = form.getByLabel("Default variants");
  for (const [typed, becomes] of [
    ["", "1"],
    ["abc", "1"],
    ["0", "1"],
    ["11", "10"],
    ["4", "4"],
  ] as const) {
    await variants.fill(typed);
    await variants.blur();
    await expect(variants).toHaveValue(becomes);
  }
  const [video, music] = [form.getByLabel("Default video volume"), form.getByLabel("Default music volume")];
  await expect(video).toHaveValue("0.5");
  await expect(video).toHaveAttribute("step", "0.1");
  await form.getByText("Mix", { exact: true }).click();
  await video.focus();
  for (let steps = 0; steps < 2; steps += 1) await page.keyboard.press("ArrowLeft");
  await music.focus();
  await page.keyboard.press("End");
  await form.getByRole("button", { name: "Save defaults" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Defaults Saved" })).toBeVisible();
  await page.reload();
  await expect(variants).toHaveValue("4");
  await expect(form.getByRole("radio", { name: "Mix" })).toBeChecked();
  await expect(video).toHaveValue("0.3");
  await expect(music).toHaveValue("1");

  await page.getByRole("complementary").getByRole("link", { name: "Create Jobs" }).click();
  await expect(page.getByLabel("Variants per video")).toHaveValue("4");
  await page.getByRole("switch", { name: "Background Music" }).check();
  await expect(page.getByRole("radio", { name: "Mix" })).toBeChecked();
  await expect(page.getByLabel("Video volume")).toHaveValue("0.3");
  await expect(page.getByLabel("Music volume")).toHaveValue("1");
  expect(errors).toEqual([]);
});

test("saving one default leaves untouched defaults unset", async ({ page }) => {
  const cleared = {
    default_variants: null,
    default_audio_mode: null,
    default_video_gain: null,
    default_music_gain: null,
  };
  const client = await signedInClient(clipmill.url);
  await client.functions.invoke("settings", { body: cleared });
  await page.reload();
  const form = page.getByRole("form", { name: "Default Processing Options" });
  await form.getByLabel("Default variants").fill("3");
  const sent = page.waitForRequest((request) => request.url().endsWith("/settings") && request.method() === "POST");
  await form.getByRole("button", { name: "Save defaults" }).click();
  expect((await sent).postDataJSON()).toEqual({ default_variants: 3 });
  await expect(page.getByRole("status").filter({ hasText: "Defaults Saved" })).toBeVisible();
  await page.getByRole("complementary").getByRole("link", { name: "Create Jobs" }).click();
  await expect(page.getByLabel("Variants per video")).toHaveValue("3");
  await page.getByRole("switch", { name: "Background Music" }).check();
  // The job screen's own default, not the 0.5 that Settings shows.
  await expect(page.getByLabel("Music volume")).toHaveValue("1");
  expect(errors).toEqual([]);
});

// spec 8.1, 8.10
test("fetching in advance can be switched off", async ({ page }) => {
  const downloads = page.getByRole("form", { name: "Sources" });
  await openTab(page, "Sources and delivery");
  const toggle = downloads.getByRole("switch", { name: "Fetch videos in advance" });
  await expect(toggle).toBeChecked();
  await toggle.uncheck();
  await downloads.getByRole("button", { name: "Save sources" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Setting Saved" })).toBeVisible();
  await page.reload();
  await expect(toggle).not.toBeChecked();
  expect(errors).toEqual([]);
});

test("each failure shows SPEC's text, and typed text stays", async ({ page }) => {
  const reject = async (how: number | "offline") => {
    await page.unroute("**/functions/v1/settings");
    await page.route("**/functions/v1/settings", (route) =>
      how === "offline" ? route.abort() : route.fulfill({ status: how, json: { error: "No." } }),
    );
  };
  const key = page.getByLabel("OpenAI API key");
  for (const how of [400, 500, "offline"] as const) {
    await reject(how);
    await key.fill("sk-typed");
    await page.getByRole("button", { name: "Save API keys" }).click();
    await expectError(page, "Failed to save API keys");
    await expect(key).toHaveValue("sk-typed");
    await page.getByRole("button", { name: "Save defaults" }).click();
    await expectError(page, "Failed to save default settings");
  }
  await reject(500);
  await page.reload();
  await expectError(page, "Failed to load settings");
  await expectAccessible(page, "settings that did not load");
  await openTab(page, "Account");
  await expect(page.getByText("This browser", { exact: true })).toBeVisible();
  await openTab(page, "General");
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  await page.unroute("**/functions/v1/settings");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "API Keys" })).toBeVisible();
  await page.route("**/functions/v1/test-key", (route) => route.abort());
  await page.getByRole("button", { name: "Test key" }).nth(1).click();
  await expect(page.getByText("The server could not be reached.")).toBeVisible();
});

// spec 2.7.3
test("a source that is turned on is accepted by the job screen, and only then", async ({ page }) => {
  const links = page.getByLabel("Video links");
  const address = "https://site.example/clip.mp4";
  const form = page.getByRole("form", { name: "Sources" });
  for (const isOn of [true, false]) {
    await openTab(page, "Sources and delivery");
    const toggle = form.getByRole("switch", { name: "Web addresses" });
    await expect(toggle).toBeChecked({ checked: !isOn });
    await toggle.setChecked(isOn);
    await form.getByRole("button", { name: "Save sources" }).click();
    await expect(page.getByText("Applies immediately.").first()).toBeVisible();
    await page.getByRole("complementary").getByRole("link", { name: "Create Jobs" }).click();
    await links.fill(address);
    if (isOn) await expectVideos(page, 1);
    else await expect(page.getByText("Line 1 will be skipped")).toBeVisible();
    await writeVideoLinks(page, "");
    await page.getByRole("complementary").getByRole("link", { name: "Settings" }).click();
  }
  expect(errors).toEqual([]);
});

test("videos by yt-dlp are turned on only with a confirmation of the rights", async ({ page }) => {
  const form = page.getByRole("form", { name: "Sources" });
  const toggle = form.getByRole("switch", { name: /^yt-dlp/ });
  await openTab(page, "Sources and delivery");
  await toggle.check();
  await form.getByRole("button", { name: "Save sources" }).click();
  await expectError(page, `Confirm this first: ${RIGHTS}`);
  await form.getByRole("checkbox", { name: RIGHTS }).check();
  await form.getByRole("button", { name: "Save sources" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Setting Saved" })).toBeVisible();
  await expect(form.getByRole("checkbox", { name: RIGHTS })).toBeHidden();
  await toggle.uncheck();
  await form.getByRole("button", { name: "Save sources" }).click();
  await page.reload();
  await expect(toggle).not.toBeChecked();
});

test("after use, no key is in the database's files, the log, a response or the browser's storage", async ({ page }) => {
  const client = await signedInClient(clipmill.url);
  drive.add({
    id: "private",
    bytes: Buffer.from("x"),
    name: "x.mp4",
    mimeType: "video/mp4",
    behaviour: { kind: "notShared" },
  });
  const job = await createJob(client, { input_videos: [drive.links("private")] });
  await expect.poll(() => hasEnded(client, job.id)).toBe(true);
  // Worker and generator have used the keys.
  expect(drive.requests.some((request) => request.query.get("key") === GOOGLE_KEY)).toBe(true);
  responses.push(JSON.stringify(await readJob(client, job.id)));
  const request = { count: 2, generationMode: "custom", customPrompt: "Coffee", existingCaptions: [] };
  const generated = await client.functions.invoke<unknown>("generate-captions", { body: request });
  responses.push(JSON.stringify(generated.data), JSON.stringify(generated.error));
  await page.goto(`${clipmill.url}/jobs/${job.id}`);
  await expect(page.getByRole("heading", { name: "A job" })).toBeVisible();
  const stored = await page.evaluate(async () =>
    JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      await indexedDB.databases(),
      await caches.keys(),
    ]),
  );
  const { stdout, stderr } = clipmill.output();
  await clipmill.stop();

  const places: [string, Buffer][] = [
    ["the browser's storage", Buffer.from(stored)],
    ["the log", Buffer.from(stdout + stderr)],
    ["the responses", Buffer.from(responses.join("\n"))],
  ];
  for await (const file of glob("**/*", { cwd: folder, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const name = path.join(file.parentPath, file.name);
    places.push([name, await readFile(name)]);
  }
  // The search covers places that contain settings.
  expect(places.find(([name]) => name === "the responses")![1].includes(`"last4":"${TWIN_KEY.slice(-4)}"`)).toBe(true);
  expect(places.filter(([, content]) => content.includes("openai_key")).length).toBeGreaterThan(1);
  for (const key of [GOOGLE_KEY, TWIN_KEY, SERVER_KEY, ...WRONG_KEYS]) {
    const found = places.filter(([, content]) => content.includes(key)).map(([name]) => name);
    expect(found).toEqual([]);
  }
});

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name, exact: true }).click();
}

async function expectError(page: Page, text: string): Promise<void> {
  const toast = page.getByRole("alert").filter({ hasText: text }).filter({ hasText: "Error" });
  await expect(toast).toBeVisible();
  await toast.getByRole("button", { name: "Dismiss" }).click();
  await expect(toast).toHaveCount(0);
}
