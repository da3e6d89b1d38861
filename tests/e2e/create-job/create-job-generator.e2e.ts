/** SPEC sections 5 and 8, with a twin of the API. */
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { SupabaseClient } from "@supabase/supabase-js";
import { signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { injectSession } from "#tests/support/browser/inject-session.ts";
import { startTemporaryClipmill } from "#tests/support/servers/installed-clipmill.ts";
import {
  captionPickerOf,
  captionsOf,
  expectError,
  openJobScreen,
  toastOf,
  unexpectedErrors,
} from "#tests/support/browser/job-screen.ts";
import { type OpenAiTwin, startOpenAiTwin, TWIN_KEY } from "#tests/support/twins/openai/openai-twin.ts";
import { watchConsole } from "#tests/support/browser/watch-console.ts";

const FALLBACK = "Failed to generate captions. Check your OpenAI API key in settings.";

let openAi: OpenAiTwin;
let clipmill: ClipmillProcess;
let client: SupabaseClient;
let errors: string[];

test.beforeAll(async () => {
  openAi = await startOpenAiTwin();
  clipmill = await startTemporaryClipmill({ OPENAI_BASE_URL: openAi.url });
  client = await signedInClient(clipmill.url);
});

test.afterAll(async () => {
  await clipmill.stop();
  await openAi.close();
});

test.beforeEach(async ({ page }) => {
  errors = watchConsole(page);
  await client.functions.invoke("settings", { body: { openai_key: TWIN_KEY } });
  await client.from("caption_sets").delete().neq("name", "");
  openAi.behave(() => ({ kind: "normal" }));
  await injectSession(page, clipmill.url);
});

test.afterEach(() => {
  expect(unexpectedErrors(errors)).toEqual([]);
});

// spec 2.4.4, 5.11, 5.12, 8.25, 9.14
test("a prompt adds captions below the existing ones, and they can be saved as a set", async ({ page }) => {
  openAi.behave(() => ({ kind: "normal", captions: ["Warm cup, calm morning", "Steam before screens"] }));
  await openJobScreen(page, clipmill.url);
  await page.getByRole("switch", { name: "Captions" }).check();
  await captionsOf(page).fill("Typed by hand");
  const sheet = await openGenerator(page);
  await expect(sheet.getByLabel("Count")).toHaveValue("5");
  await sheet.getByText("Custom", { exact: true }).click();
  await expect(generateOf(sheet)).toBeDisabled();
  await sheet.getByLabel("Prompt").fill("  ");
  await expect(generateOf(sheet)).toBeDisabled();
  await sheet.getByLabel("Prompt").fill("A small coffee bar");
  await sheet.getByLabel("Notes").fill("No puns");
  await sheet.getByLabel("Count").fill("2");
  await generateOf(sheet).click();
  await expect(toastOf(page, "Captions Generated")).toContainText("2 captions added");
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Generate" })).toBeFocused();
  await expect(captionsOf(page)).toHaveValue("Typed by hand\nWarm cup, calm morning\nSteam before screens");
  const asked = openAi.chats.at(-1)!;
  expect(asked.count).toBe(2);
  expect(asked.text).toContain("A small coffee bar");
  expect(asked.text).toContain("No puns");
  expect(asked.text).toContain("Typed by hand");

  await captionsOf(page).press("Control+End");
  await captionsOf(page).pressSequentially("!");
  await page.getByRole("button", { name: "Save as set" }).click();
  await page.getByLabel("Set name").fill("Coffee");
  await page.getByRole("button", { name: "Save set" }).click();
  await expect(toastOf(page, "Caption Set Saved")).toBeVisible();
  expect((await client.from("caption_sets").select("captions")).data).toEqual([
    { captions: ["Typed by hand", "Warm cup, calm morning", "Steam before screens!"] },
  ]);
});

// spec 2.4.4, 5.9, 5.12
test("reference mode needs a saved set and preselects the one in use", async ({ page }) => {
  await addSet();
  await openJobScreen(page, clipmill.url);
  await page.getByRole("switch", { name: "Captions" }).check();
  const sheet = await openGenerator(page);
  await expect(sheet.getByRole("radio", { name: "Reference" })).toBeChecked();
  await expect(generateOf(sheet)).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await captionPickerOf(page).click();
  await page.getByRole("option", { name: /Monday hooks/ }).click();
  await openGenerator(page);
  await expect(sheet.getByRole("combobox", { name: "Caption set" })).toHaveText("Monday hooks (2)");
  await sheet.getByLabel("Count").fill("3");
  await sheet.getByLabel("Count").press("Enter");
  await expect(toastOf(page, "Captions Generated")).toBeVisible();
  expect((await captionsOf(page).inputValue()).split("\n")).toHaveLength(5);
  expect(openAi.chats.at(-1)!.text).toContain("POV: it is Monday");
  await expect(captionPickerOf(page)).toHaveText("Load a set");
});

// spec 5.10
test("a deleted caption set shows a message, and typed text stays", async ({ page }) => {
  const id = await addSet();
  await openJobScreen(page, clipmill.url);
  await captionPickerOf(page).click();
  await page.getByRole("option", { name: /Monday hooks/ }).click();
  const sheet = await openGenerator(page);
  await sheet.getByLabel("Notes").fill("Keep me");
  await client.from("caption_sets").delete().eq("id", id);
  await generateOf(sheet).click();
  await expectError(
    page,
    "Caption Set Not Found",
    "The selected caption set no longer exists. Please refresh and select another.",
  );
  await expect(sheet.getByLabel("Notes")).toHaveValue("Keep me");
  await expect(generateOf(sheet)).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(captionsOf(page)).toHaveValue("POV: it is Monday\nWait for the pour");
});

// spec 5.8
test("an invalid count is corrected on blur as SPEC requires", async ({ page }) => {
  await openJobScreen(page, clipmill.url);
  await page.getByRole("switch", { name: "Captions" }).check();
  const count = (await openGenerator(page)).getByLabel("Count");
  for (const [typed, becomes] of [
    ["", "1"],
    ["abc", "1"],
    ["0", "1"],
    ["101", "100"],
    ["7", "7"],
  ] as const) {
    await count.fill(typed);
    await count.blur();
    await expect(count).toHaveValue(becomes);
  }
});

// spec 8.5
test("a failure shows the server's message, otherwise SPEC's, and loses nothing", async ({ page }) => {
  const sheet = await openWithPrompt(page);
  await client.functions.invoke("settings", { body: { openai_key: "sk-wrong-0123456789" } });
  await generateOf(sheet).click();
  const toast = page.getByRole("alert");
  await expect(toast).toContainText("Error");
  await expect(toast).toContainText(/key/i);
  await toast.getByRole("button", { name: "Dismiss" }).click();
  for (const fail of ["connectionrefused", "html"] as const) {
    await page.route("**/functions/v1/generate-captions", (route) =>
      fail === "html"
        ? route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad</h1>" })
        : route.abort(fail),
    );
    await generateOf(sheet).click();
    await expectError(page, "Error", FALLBACK);
    await page.unroute("**/functions/v1/generate-captions");
  }
  await expect(sheet.getByLabel("Prompt")).toHaveValue("A small coffee bar");
  await client.functions.invoke("settings", { body: { openai_key: TWIN_KEY } });
  await generateOf(sheet).click();
  await expect(toastOf(page, "Captions Generated")).toBeVisible();
});

test("canceling the generation aborts the request", async ({ page }) => {
  openAi.behave(() => ({ kind: "gated" }));
  const sheet = await openWithPrompt(page);
  const abandoned = openAi.abandoned;
  const chats = openAi.chats.length;
  await generateOf(sheet).click();
  await expect(sheet.getByRole("button", { name: "Generating..." })).toBeVisible();
  await expect.poll(() => openAi.chats.length).toBe(chats + 1);
  await sheet.getByRole("button", { name: "Cancel generating" }).click();
  await expect(generateOf(sheet)).toBeEnabled();
  await expect.poll(() => openAi.abandoned).toBe(abandoned + 1);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(sheet.getByLabel("Prompt")).toHaveValue("A small coffee bar");
});

async function openGenerator(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Generate" }).click();
  const sheet = page.getByRole("dialog", { name: "Generate captions" });
  await expect(sheet).toBeVisible();
  return sheet;
}

async function openWithPrompt(page: Page): Promise<Locator> {
  await openJobScreen(page, clipmill.url);
  await page.getByRole("switch", { name: "Captions" }).check();
  const sheet = await openGenerator(page);
  await sheet.getByText("Custom", { exact: true }).click();
  await sheet.getByLabel("Prompt").fill("A small coffee bar");
  return sheet;
}

const generateOf = (sheet: Locator): Locator => sheet.getByRole("button", { name: "Generate", exact: true });

async function addSet(): Promise<string> {
  const captions = ["POV: it is Monday", "Wait for the pour"];
  const { data } = await client.from("caption_sets").insert({ name: "Monday hooks", captions }).select().single();
  return (data as { id: string }).id;
}
