/** A selected option that is removed elsewhere is deselected with a message; everything else stays. */
import { expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { SupabaseClient } from "@supabase/supabase-js";
import { signedInClient } from "#tests/support/servers/client.ts";
import { captionsOf, openJobScreen, startOf } from "#tests/support/browser/job-screen.ts";
import { signIn } from "#tests/support/browser/screens.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";

let clipmill: SeededClipmill;
let client: SupabaseClient;

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
  client = await signedInClient(clipmill.url);
});

const lookAgain = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
const said = (page: Page, words: string) =>
  page.getByRole("region", { name: "Notifications" }).getByText(words, { exact: true });

async function choose(page: Page, label: string, option: RegExp | string): Promise<void> {
  await page.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option }).click();
}

test("a deleted caption set is deselected, and its text stays", async ({ page }) => {
  const sets = [
    { name: "Former", captions: ["Of the former set"] },
    { name: "Chosen", captions: ["Of the chosen set"] },
  ];
  await client.from("caption_sets").insert(sets).throwOnError();
  const errors = await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
  await choose(page, "Saved caption sets", /Former/);
  // After navigating back, the draft still has the selected set.
  await page.getByRole("link", { name: "Job History" }).first().click();
  await page.goBack();
  const picker = page.getByRole("combobox", { name: "Saved caption sets" });
  await expect(picker).toHaveText(/Former/);
  await choose(page, "Saved caption sets", /Chosen/);
  await expect(captionsOf(page)).toHaveValue("Of the chosen set");
  await picker.click();
  await expect(page.getByRole("option")).toHaveCount(2);
  await client.from("caption_sets").delete().eq("name", "Chosen").throwOnError();
  await lookAgain(page);
  await expect(page.getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(picker).toHaveText("Load a set");
  await expect(said(page, "Saved caption sets: Chosen (1) is no longer available.")).toBeVisible();
  await expect(captionsOf(page)).toHaveValue("Of the chosen set");

  // With the last set, the picker disappears.
  await choose(page, "Saved caption sets", /Former/);
  await client.from("caption_sets").delete().eq("name", "Former").throwOnError();
  await lookAgain(page);
  await expect(picker).toHaveCount(0);
  await expect(said(page, "Saved caption sets: Former (1) is no longer available.")).toBeVisible();
  await expect(captionsOf(page)).toHaveValue("Of the former set");
  await expect(startOf(page)).toBeDisabled();
  expect(errors).toEqual([]);
});

test("a new route's unavailable domain is cleared, not replaced, and a filter returns to all domains", async ({
  page,
}) => {
  const names = ["kept.example.com", "lost.example.com"].map((name) => ({ name }));
  const { data } = await client.from("domains").insert(names).select("id, name").throwOnError();
  const kept = data.find(({ name }) => name === "kept.example.com")!;
  const errors = await signIn(page, clipmill.url);
  await page.goto(`${clipmill.url}/cloak-manager?tab=routes&domain=${kept.id}`);
  await expect(page.getByRole("combobox", { name: "Filter by domain" })).toHaveText("kept.example.com");
  await page.getByRole("button", { name: "New Route" }).click();
  const sheet = page.getByRole("dialog", { name: "New Route" });
  const domain = sheet.getByRole("combobox", { name: "Domain *" });
  await expect(domain).toHaveText("kept.example.com");
  await sheet.getByLabel("Slug *").fill("spring");
  await sheet.getByLabel("Primary URL *").fill("https://example.com/");
  await choose(page, "Domain *", "lost.example.com");
  await expect(domain).toHaveText("lost.example.com");
  await domain.click();
  await expect(page.getByRole("option")).toHaveCount(2);
  await client.from("domains").update({ status: "inactive" }).eq("name", "lost.example.com").throwOnError();
  await lookAgain(page);
  await expect(page.getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(domain).toHaveText("Choose a domain");
  await expect(said(page, "Domain: lost.example.com is no longer available.")).toBeVisible();
  await expect(sheet.getByRole("button", { name: "Create route" })).toBeDisabled();
  await expect(sheet.getByLabel("Slug *")).toHaveValue("spring");
  await sheet.getByRole("button", { name: "Cancel" }).click();

  await choose(page, "Filter by domain", "lost.example.com");
  await client.from("domains").delete().eq("name", "lost.example.com").throwOnError();
  await lookAgain(page);
  await expect(page.getByRole("combobox", { name: "Filter by domain" })).toHaveText("All domains");
  await expect(said(page, "Filter by domain: lost.example.com is no longer available.")).toBeVisible();
  expect(errors).toEqual([]);
});
