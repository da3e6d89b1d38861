import { expect } from "@playwright/test";
import { readJob } from "#operations/jobs/read/read-job.ts";
import { saveServiceKey } from "#operations/settings/service-key.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { test } from "#tests/support/browser/browser-test.ts";
import {
  captionsOf,
  openAdvanced,
  openJobScreen,
  startOf,
  toastOf,
  unexpectedErrors,
} from "#tests/support/browser/job-screen.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";

const LINK = "https://drive.google.com/file/d/translated/view";

let clipmill: SeededClipmill;
let errors: string[];

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
});

test.beforeEach(async ({ page }) => {
  errors = await signIn(page, clipmill.url);
});

test.afterEach(async () => {
  await saveServiceKey(clipmill.context, "openai_key", null);
  expect(unexpectedErrors(errors)).toEqual([]);
});

test("languages are typed as tags, multiply the files, and need a key", async ({ page }) => {
  await openJobScreen(page, clipmill.url);
  await openAdvanced(page);
  const languages = page.getByLabel("Languages");
  await languages.fill("german");
  await expect(page.getByText("Use language tags such as de, pt-BR or zh-Hant")).toBeVisible();
  await languages.fill("de, ja AR");
  await expect(languages).toHaveValue("de, ja AR");
  await expect(page.getByText(/^German, Japanese, Arabic\./)).toBeVisible();
  await page.getByLabel("Job name").fill("Translated");
  await page.getByLabel("Video links").fill(LINK);
  await page.getByRole("switch", { name: "Captions", exact: true }).check();
  await captionsOf(page).fill("Wait for the end");
  // No worker takes it.
  await page.getByLabel("Worker labels").fill("nobody");
  await expect(page.getByRole("complementary", { name: "Plan" })).toContainText("3languages");
  await expectAccessible(page, "languages");
  for (const width of [390, 800, 1366]) {
    await page.setViewportSize({ width, height: 768 });
    await expectNoOverflow(page);
  }
  await startOf(page).click();
  await expect(toastOf(page, "OpenAI Key Required")).toContainText("no API key is saved");
  await saveServiceKey(clipmill.context, "openai_key", "sk-0123456789abcdef");
  await startOf(page).click();
  await expect(toastOf(page, "Job Started")).toBeVisible();
  const { id } = await clipmill.db
    .selectFrom("jobs")
    .select("id")
    .where("job_name", "=", "Translated")
    .executeTakeFirstOrThrow();
  expect(await readJob(clipmill.context, id)).toMatchObject({ languages: ["de", "ja", "ar"] });
});

test("the glossary is saved, and its problems name the line", async ({ page }) => {
  await page.goto(`${clipmill.url}/settings#glossary`);
  const form = page.getByRole("form", { name: "Glossary" });
  const terms = form.getByLabel("Terms");
  await terms.fill("Clipmill\nFlash sale = german: Blitzangebot");
  await expect(form.getByText("Line 2: Use language tags such as de, pt-BR or zh-Hant")).toBeVisible();
  await expect(form.getByRole("button", { name: "Save glossary" })).toBeDisabled();
  await terms.fill("Clipmill\nFlash sale = DE: Blitzangebot; fr: Vente flash");
  await form.getByRole("button", { name: "Save glossary" }).click();
  await expect(toastOf(page, "Glossary Saved")).toBeVisible();
  await expectAccessible(page, "the glossary");
  await page.reload();
  await expect(terms).toHaveValue("Clipmill\nFlash sale = de: Blitzangebot; fr: Vente flash");
  await terms.fill("");
  await form.getByRole("button", { name: "Save glossary" }).click();
  await expect(toastOf(page, "Glossary Saved").first()).toBeVisible();
});
