import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { BrandKit, Preset } from "#contract/presets/presets.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import {
  expectError,
  expectVideos,
  openJobScreen,
  startOf,
  toastOf,
  unexpectedErrors,
  writeVideoLinks,
} from "#tests/support/browser/job-screen.ts";
import { expectNoOverflow, openDashboard, signIn } from "#tests/support/browser/screens.ts";
import { makePng } from "#tests/support/media/make-image.ts";
import { readLibrary, signedInClient } from "#tests/support/servers/client.ts";
import { startTemporaryClipmill } from "#tests/support/servers/installed-clipmill.ts";
import type { ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";

const LOGO = [...makePng(8, 8, [255, 0, 0, 255])];
const CHANGED_ELSEWHERE = "This preset was changed elsewhere. Check its current values, then make your change again.";
const PHONE = { width: 390, height: 844 };

let clipmill: ClipmillProcess;
let client: SupabaseClient;

test.beforeAll(async () => {
  clipmill = await startTemporaryClipmill();
  client = await signedInClient(clipmill.url);
});
test.afterAll(() => clipmill.stop());
test.beforeEach(async () => {
  for (const table of ["presets", "brand_kits"]) await client.from(table).delete().neq("name", "");
});

async function addPreset(preset: object): Promise<Preset> {
  return (await client.from("presets").insert(preset).select("*").single<Preset>().throwOnError()).data;
}

async function readPreset(id: string): Promise<Preset> {
  return (await client.from("presets").select("*").eq("id", id).single<Preset>().throwOnError()).data;
}

// spec 2.14.1
test("starts a job from the Dashboard in three actions: paste, choose the preset, Start", async ({ page }) => {
  const { data: files } = await readLibrary(client);
  const clips = files.filter(({ kind }) => kind === "video").slice(0, 2);
  await addPreset({
    name: "House",
    settings: { variants_per_video: 2, watermark_enabled: true, watermark_text: "@house" },
  });
  const errors = await openDashboard(page, clipmill.url);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((text) => navigator.clipboard.writeText(text), clips.map(({ link }) => link).join("\n"));
  await expect(page.getByLabel("Paste links or drop files")).toBeVisible();

  let actions = 0;
  const act = async (action: () => Promise<void>) => {
    actions += 1;
    await action();
  };
  await act(() => page.keyboard.press("Control+V"));
  await act(() => page.getByRole("radiogroup", { name: "Preset" }).getByText("House").click());
  await expect(page.getByLabel("Job name")).toHaveValue(new RegExp(`^House \\d{4}-\\d\\d-\\d\\d `));
  const name = await page.getByLabel("Job name").inputValue();
  await act(() => startOf(page).click());
  await expect(toastOf(page, "Job Started")).toBeVisible();
  expect(actions).toBe(3);

  const jobs = await client
    .from("jobs")
    .select("input_videos, variants_per_video, watermark_text")
    .eq("job_name", name);
  expect(jobs.data).toEqual([
    { input_videos: clips.map(({ link }) => link), variants_per_video: 2, watermark_text: "@house" },
  ]);
  // The next job starts from the preset again.
  await expect(page.getByLabel("Job name")).toHaveValue("");
  await expect(page.getByText("No changes")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Watermark text" })).toHaveValue("@house");

  await page.goto(clipmill.url);
  await page.getByLabel("Paste links or drop files").fill("no link");
  await page.keyboard.press("Enter");
  await expect(page.getByText("There is no link in this text.")).toBeVisible();
  await page.getByRole("heading", { level: 1 }).evaluate((target, bytes) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(bytes)], "mark.png", { type: "image/png" }));
    target.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
  }, LOGO);
  await expect(page.getByRole("list", { name: "Watermark image" })).toContainText("mark.png");
  expect(errors).toEqual([]);
});

// spec 2.14.2
test("a suggested name stays away once it is emptied, and typing replaces it", async ({ page }) => {
  await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
  const { data: files } = await readLibrary(client);
  const link = files.find(({ kind }) => kind === "video")!.link;
  const held = Promise.withResolvers<void>();
  await page.route("**/functions/v1/preflight", (route) => held.promise.then(() => route.continue()));
  await writeVideoLinks(page, link);
  const name = page.getByLabel("Job name");
  await expect(name).toHaveValue(/^\d{4}-\d\d-\d\d$/);
  await name.click();
  // The file's name arrives in the focused field.
  held.resolve();
  await expect(name).toHaveValue(/^\d{4}-\d\d-\d\d \S/);
  await page.keyboard.type("Mine");
  await expect(name).toHaveValue("Mine");
  await name.fill("");
  await writeVideoLinks(page, `${link}\n${link}`);
  await expectVideos(page, 2);
  await expect(name).toHaveValue("");
  await expect(startOf(page)).toBeDisabled();
});

// spec 2.14.3, 2.14.4, 2.14.5
test("saves the form as a preset, shows what differs, updates it and brings a version back", async ({ page }) => {
  const errors = await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
  await page.getByLabel("Variants per video").fill("3");
  await page.getByRole("button", { name: "Save as preset" }).click();
  await page.getByLabel("Preset name").fill("A house style with a long name");
  await expect(page.getByLabel("Start new jobs with this preset")).toBeChecked();
  await page.getByRole("button", { name: "Save preset" }).click();
  await expect(toastOf(page, "Preset Saved")).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Preset" })).toHaveText("A house style with a long name");

  await page.getByLabel("Variants per video").fill("4");
  await expect(page.getByText("Differs in Variants per video")).toBeVisible();
  await page.setViewportSize(PHONE);
  await expectNoOverflow(page);
  await expectAccessible(page, "the form with a changed preset");
  await page.getByRole("button", { name: "Update preset" }).click();
  await expect(toastOf(page, "Preset Updated")).toContainText("is now version 2.");
  await expect(page.getByText("No changes")).toBeVisible();

  // Someone else saves version 3: the form, based on version 2, does not overwrite it.
  const { data: stored } = await client.from("presets").select("id, settings").single<Preset>().throwOnError();
  const theirs = { ...stored.settings, quality: "high" };
  await client.from("presets").update({ settings: theirs }).eq("id", stored.id).throwOnError();
  await page.getByLabel("Variants per video").fill("5");
  await page.getByRole("button", { name: "Update preset" }).click();
  await expectError(page, "Error", CHANGED_ELSEWHERE);
  await expect(page.getByText("Changed elsewhere since you chose it")).toBeVisible();
  await expect(page.getByRole("button", { name: "Update preset" })).toHaveCount(0);
  await page.reload();
  await page.getByRole("button", { name: "Use version 3" }).click();
  await expect(page.getByText("No changes")).toBeVisible();
  await expect(page.getByLabel("Variants per video")).toHaveValue("4");
  expect(await readPreset(stored.id)).toMatchObject({ version: 3, settings: theirs });

  await page.goto(`${clipmill.url}/presets`);
  const row = page.getByRole("list", { name: "Presets" }).getByRole("listitem");
  await expect(row).toContainText("Variants per video: 4");
  await openAction(page, "Versions");
  await expect(page.getByText("Variants per video: 3, now 4")).toBeVisible();
  await expectAccessible(page, "versions at 390 px");
  await page.getByRole("button", { name: "Restore version 1" }).click();
  await expect(toastOf(page, "Version Restored")).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();
  await expect(row).toContainText("Variants per video: 3");

  const download = page.waitForEvent("download");
  await openAction(page, "Export as JSON");
  const file = await (await download).path();
  await openAction(page, "Edit");
  const name = page.getByLabel("Preset name");
  const saved = await name.inputValue();
  await name.fill("Abandoned");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(name).toHaveCount(0);
  await openAction(page, "Edit");
  await expect(name).toHaveValue(saved);
  await name.fill("Renamed");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(row).toContainText("Renamed");

  const exported = JSON.parse(await readFile(file, "utf8")) as { settings: object };
  const changed = JSON.stringify({ ...exported, settings: { ...exported.settings, glow_seconds: 1 } });
  const chooser = page.getByLabel("Preset file");
  await chooser.setInputFiles({ name: "a.json", mimeType: "application/json", buffer: Buffer.from(changed) });
  await expect(toastOf(page, "Preset Imported")).toContainText("ignored: glow_seconds.");
  await chooser.setInputFiles({ name: "b.json", mimeType: "application/json", buffer: Buffer.from("{") });
  await expect(page.getByRole("alert")).toContainText("This file is not valid JSON.");
  const { data } = await client.from("presets").select("name, version, settings").order("name").throwOnError();
  expect(data).toMatchObject([
    { name: "A house style with a long name", version: 1, settings: { variants_per_video: 3 } },
    { name: "Renamed", version: 4, settings: { variants_per_video: 3 } },
  ]);
  expect(unexpectedErrors(errors)).toEqual([]);
});

test("keeps a preset chosen while another one is being saved", async ({ page }) => {
  await addPreset({ name: "House", settings: {}, is_default: true });
  await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
  const choices = page.getByRole("radiogroup", { name: "Preset" });
  await expect(choices.getByRole("radio", { name: "House" })).toBeChecked();
  const held = Promise.withResolvers<void>();
  await page.route("**/rest/v1/presets*", (route) => held.promise.then(() => route.continue()));
  await page.getByLabel("Variants per video").fill("3");
  await page.getByRole("button", { name: "Update preset" }).click();
  await choices.getByText("No preset").click();
  held.resolve();
  await expect(toastOf(page, "Preset Updated")).toContainText("is now version 2.");
  await expect(choices.getByRole("radio", { name: "No preset" })).toBeChecked();
});

test("a preset made on its screen copies another one's settings and opens in the form", async ({ page }) => {
  const errors = await signIn(page, clipmill.url);
  await addPreset({ name: "Short", settings: { variants_per_video: 4 } });
  await page.goto(`${clipmill.url}/presets`);
  await page.getByRole("button", { name: "New preset" }).click();
  const dialog = page.getByRole("dialog", { name: "New preset" });
  await dialog.getByRole("button", { name: "Create preset" }).click();
  await expect(dialog).toContainText("Enter a name.");
  await dialog.getByLabel("Preset name").fill("short");
  await dialog.getByRole("button", { name: "Create preset" }).click();
  await expect(dialog).toContainText('There is already a preset named "short". Choose another name.');
  await dialog.getByLabel("Preset name").fill("Hooks");
  await dialog.getByRole("combobox", { name: "Settings" }).click();
  await page.getByRole("option", { name: "As in Short" }).click();
  await dialog.getByLabel("Captions").fill("Wait for it\nSave this");
  await expectAccessible(page, "a new preset");
  await dialog.getByRole("button", { name: "Create preset" }).click();
  await expect(page.getByLabel("Variants per video")).toHaveValue("4");
  await expect(page.getByRole("textbox", { name: "Captions", exact: true })).toHaveValue("Wait for it\nSave this");
  await expect(page.getByRole("radio", { name: "Hooks" })).toBeChecked();
  expect(unexpectedErrors(errors)).toEqual([]);
});

// spec 2.14.6, 2.14.7
test("a fresh form starts with the default preset, and a brand kit changes what presets give", async ({ page }) => {
  const errors = await signIn(page, clipmill.url);
  await page.setViewportSize(PHONE);
  await page.goto(`${clipmill.url}/presets`);
  await expect(page.getByText("No presets yet")).toBeVisible();
  await expectAccessible(page, "no presets at 390 px");
  const { id } = await addPreset({ name: "Short", settings: { captions_enabled: true }, is_default: true });

  await page.getByRole("button", { name: "New brand kit" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Acme");
  await page.getByLabel("Text color", { exact: true }).fill("#fc0");
  await page.getByLabel("Watermark text").fill("@acme");
  const logo = { name: "logo.png", mimeType: "image/png", buffer: Buffer.from(LOGO) };
  const held = Promise.withResolvers<void>();
  await page.route("**/uploads?*", (route) => held.promise.then(() => route.continue()));
  await page.getByLabel("Logo file").setInputFiles(logo);
  // The logo would be missing.
  await expect(page.getByRole("button", { name: "Add brand kit" })).toHaveAttribute("aria-busy");
  await page.getByLabel("Watermark text").press("Enter");
  held.resolve();
  await expect(page.getByRole("combobox", { name: "Logo" })).toContainText(".png");
  await page.getByRole("button", { name: "Add text layer" }).click();
  await page.getByRole("textbox", { name: "Text of layer 1" }).fill("New");
  await page.getByRole("button", { name: "Look of layer 1" }).click();
  const look = page.getByRole("dialog", { name: "Look of layer 1" });
  await look.locator('label:has(input[value="bottom"])').click();
  await page.keyboard.press("Escape");
  // Left empty, it is not kept.
  await page.getByRole("button", { name: "Add image layer" }).click();
  await expectAccessible(page, "a brand kit at 390 px");
  await page.getByRole("button", { name: "Add brand kit" }).click();
  await expect(toastOf(page, "Brand Kit Saved")).toBeVisible();
  await expect(page.getByRole("list", { name: "Brand kits" })).toContainText("#ffcc00");

  await page.reload();
  await openAction(page, "Edit");
  await page.getByRole("combobox", { name: "Brand kit" }).click();
  await page.getByRole("option", { name: "Acme" }).click();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("list", { name: "Presets" })).toContainText("Brand kit");
  const { settings: given } = await readPreset(id);
  expect(given).toMatchObject({ caption_color: "#ffcc00", watermark_text: "@acme", watermark_enabled: true });
  expect(given.layers).toEqual([{ kind: "text", text: "New", position: "bottom", x: null, y: null }]);
  const { data: files } = await readLibrary(client);
  const image = files.find(({ link }) => link === given.watermark_image)!;
  expect(image.usage).toMatchObject({ savedIn: 1 });
  const rejection = await client.functions.invoke<{ held: unknown[] }>("library", {
    body: { method: "DELETE", ids: [image.id] },
  });
  expect(rejection.data!.held).toMatchObject([{ id: image.id, savedIn: [{ kind: "brand kit", name: "Acme" }] }]);
  await expectNoOverflow(page);
  await expectAccessible(page, "presets and brand kits at 390 px");

  const { data: kits } = await client.from("brand_kits").select("*").overrideTypes<BrandKit[]>().throwOnError();
  const settings = { ...kits[0]!.settings, watermark_text: "@acme.tv" };
  await client.from("brand_kits").update({ settings }).eq("id", kits[0]!.id).throwOnError();
  await openJobScreen(page, clipmill.url);
  const text = page.getByRole("textbox", { name: "Watermark text" });
  await expect(text).toHaveValue("@acme.tv");
  await expect(page.getByRole("radio", { name: "Short" })).toBeChecked();
  await text.fill("@mine");
  await expect(page.getByText("sets some of them")).toBeVisible();
  await expect(page.getByRole("button", { name: "Update preset" })).toHaveCount(0);
  expect(errors).toEqual([]);
});

async function openAction(page: Page, action: string): Promise<void> {
  await page.getByRole("button", { name: /^Actions for / }).click();
  await page.getByRole("menuitem", { name: action }).click();
}
