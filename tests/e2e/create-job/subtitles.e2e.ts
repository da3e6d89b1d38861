/** Covers subtitle files in the form, and their column in a table. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect } from "@playwright/test";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { test } from "#tests/support/browser/browser-test.ts";
import { dropFiles } from "#tests/support/browser/drop-files.ts";
import { DRIVE, expectError, fillVideoLinks, openJobScreen, startOf } from "#tests/support/browser/job-screen.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import type { ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";

let folder: string;
let clipmill: ClipmillProcess;
let client: SupabaseClient;

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-subtitles-"));
  await makeClip(path.join(folder, "talk.mp4"), { width: 180, height: 320, seconds: 2 });
  await writeFile(path.join(folder, "talk.srt"), "1\n00:00:00,200 --> 00:00:01,500\nHello there\n");
  await writeFile(path.join(folder, "notes.srt"), "No subtitles in here.");
  clipmill = await startInstalledClipmill(path.join(folder, "data"));
  client = await signedInClient(clipmill.url);
});

test.afterAll(async () => {
  await clipmill.stop();
  await rm(folder, { recursive: true, force: true });
});

test("a subtitle file dropped on the page belongs to the only video; several videos have theirs in the table", async ({
  page,
}) => {
  await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
  const heading = page.getByRole("heading", { name: "Create Video Job" });
  await dropFiles(heading, [path.join(folder, "talk.mp4"), path.join(folder, "talk.srt")]);
  const section = page.locator('[data-drop="subtitles"]');
  await expect(page.getByRole("switch", { name: "Subtitles" })).toBeChecked();
  const file = section.getByRole("list", { name: "Subtitle file" });
  await expect(file).toContainText("talk.srt");
  await dropFiles(section.getByRole("heading", { name: "Subtitles" }), [path.join(folder, "notes.srt")]);
  const failed = section.getByRole("list", { name: "Subtitle uploads" }).getByRole("listitem");
  await expect(failed.getByRole("alert")).toContainText("This file has no subtitles.");
  await failed.getByRole("button", { name: "Dismiss notes.srt" }).click();

  await section.getByRole("button", { name: "Subtitle look" }).click();
  await page.getByText("Karaoke", { exact: true }).click();
  await expectAccessible(page, "subtitles");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press("Escape");
  await page.getByLabel("Job name").fill("With words");
  await startOf(page).click();
  await expect(page.getByText("Job Started")).toBeVisible();
  const { data } = await client.from("jobs").select("id").eq("job_name", "With words").single();
  await expect.poll(() => hasEnded(client, data!.id as string), { timeout: 60_000 }).toBe(true);
  const job = await readJob(client, data!.id as string);
  expect(job).toMatchObject({ status: "Completed", subtitles_enabled: true, subtitle_style: "karaoke" });
  await page.goto(`${clipmill.url}/jobs/${data!.id}`);
  await expect(page.getByText("talk.srt")).toBeVisible();

  await openJobScreen(page, clipmill.url);
  await fillVideoLinks(page, `${DRIVE}/a/view\n${DRIVE}/b/view`);
  await page.getByRole("switch", { name: "Subtitles" }).check();
  await expect(section).toContainText("Each video needs its own subtitle file.");
  await page.getByLabel("Job name").fill("Without words");
  await startOf(page).click();
  await expectError(page, "Subtitles Required", "Subtitles are enabled but no subtitle file provided");
});

test("a table's column of subtitle files belongs to its rows", async () => {
  const csv = `link,subtitles,subtitle_style\n${DRIVE}/a/view,${DRIVE}/words/view,word\n${DRIVE}/b/view,,\n`;
  const body = { csv, dry_run: true, settings: { job_name: "Table" } };
  const { data } = await client.functions.invoke<{ rows: unknown[] }>("job-table", { body });
  expect(data!.rows).toEqual([
    {
      link: `${DRIVE}/a/view`,
      settings: expect.objectContaining({ subtitles: `${DRIVE}/words/view`, subtitle_style: "word" }),
    },
    { link: `${DRIVE}/b/view` },
  ]);
});

// spec 2.7.4, 2.7.5
test("with transcription set up in Settings, subtitles come from the speech unless a file is chosen", async ({
  page,
}) => {
  await client.functions.invoke("settings", { body: { transcription_key: "a-key-of-another-server" } });
  await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/settings#models`);
  const settings = page.getByRole("form", { name: "Models" });
  await settings.getByRole("button", { name: "Transcription" }).click();
  await expect(page.getByText("Saved, ending in rver")).toBeVisible();
  const address = settings.getByLabel("Server address").filter({ visible: true });
  await address.fill("http://whisper.internal/v1");
  await settings.getByRole("button", { name: "Save models" }).click();
  await expect(settings.getByText("The address must start with https://.")).toBeVisible();
  await address.fill("https://whisper.example/v1");
  await expectAccessible(page, "models");
  await settings.getByRole("button", { name: "Save models" }).click();
  await expect(page.getByText("Models Saved")).toBeVisible();
  await expect(page.getByText("Not set. Only needed if the server requires one.")).toBeVisible();
  await page.getByLabel("Spellings").fill("mac kinley -> McKinley");
  await page.getByRole("button", { name: "Save names" }).click();
  await expect(page.getByText("Names Saved")).toBeVisible();
  const { data } = await client.functions.invoke("settings", { body: { method: "GET" } });
  expect(data).toMatchObject({ can_transcribe: true, transcript_names: [{ from: "mac kinley", to: "McKinley" }] });

  await openJobScreen(page, clipmill.url);
  await fillVideoLinks(page, `${DRIVE}/a/view`);
  await page.getByRole("switch", { name: "Subtitles" }).check();
  const section = page.locator('[data-drop="subtitles"]');
  await expect(section.getByRole("radio", { name: "From speech" })).toBeChecked();
  await expect(section).toContainText("All variants share the transcript.");
  const languages = section.getByLabel("Subtitle languages");
  await languages.fill("german");
  await expect(section).toContainText("Use language tags such as de, pt-BR or zh-Hant");
  await languages.fill("de, ja AR");
  await expect(section).toContainText("German, Japanese, Arabic. OpenAI translates the subtitles");
  await expect(page.getByRole("complementary", { name: "Plan" })).toContainText("3languages");
  await expectAccessible(page, "subtitles from speech");
  await section.getByText("From a file").click();
  await section.getByRole("textbox", { name: "Subtitle file" }).fill(`${DRIVE}/words/view`);
  await section.getByText("From speech").click();
  await section.getByText("From a file").click();
  await expect(section.getByRole("textbox", { name: "Subtitle file" })).toHaveValue("");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
});
