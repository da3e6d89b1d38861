import { expect, type Locator, type Page } from "@playwright/test";
import type { PreviewRequest } from "#contract/calls.ts";

export const DRIVE = "https://drive.google.com/file/d";

export async function openJobScreen(page: Page, url: string, query = ""): Promise<void> {
  const loaded = ["caption-sets", "audio-sets", "settings"].map((name) =>
    page.waitForResponse((response) => response.url().endsWith(`/functions/v1/${name}`)),
  );
  await page.goto(`${url}/video-processing${query}`);
  await Promise.all(loaded);
  await expect(page.getByLabel("Job name")).toBeVisible();
  // Each parameter leaves the address once the form has what it asks for.
  await expect(page).not.toHaveURL(/[?&](?:from|captionSet|audioSet)=/);
}

/** Hidden while the list of videos is shown, which "Edit as text" turns back. */
export const videoLinksOf = (page: Page): Locator => page.getByLabel("Video links");

export async function editAsText(page: Page, field: Locator): Promise<void> {
  if (!(await field.isVisible())) await page.getByRole("button", { name: "Edit as text" }).first().click();
  await expect(field).toBeFocused();
}

/** Also waits for the list of videos. */
export async function fillVideoLinks(page: Page, text: string): Promise<void> {
  await writeVideoLinks(page, text);
  await expect(page.getByRole("grid", { name: "Videos" })).toBeVisible();
}

export async function writeVideoLinks(page: Page, text: string): Promise<void> {
  const field = videoLinksOf(page);
  // The list of earlier links may be about to replace the field.
  await expect(async () => {
    if (!(await field.isVisible())) await editAsText(page, field);
    await field.fill(text, { timeout: 1_000 });
  }).toPass();
}

/** The button of an empty form, or an entry of a menu. */
export async function addFrom(
  within: Page | Locator,
  way: string,
  what: "videos" | "music" | "image" = "videos",
): Promise<void> {
  const button = within.getByRole("button", { name: way });
  if (what === "videos" && (await button.isVisible())) return button.click();
  const page = "page" in within ? within.page() : within;
  const menu = what === "videos" ? /^(?:Add videos|Table or slots)$/ : `Add ${what}`;
  await page.getByRole("button", { name: menu }).click();
  await page.getByRole("menuitem", { name: way }).click();
}

export async function openAdvanced(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Advanced Options" });
  if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
}

export async function expectVideos(page: Page, count: number): Promise<void> {
  await expect(page.getByRole("grid", { name: "Videos" })).toHaveAttribute("aria-rowcount", String(count));
}

export const openCaptionLook = (page: Page): Promise<void> =>
  page.getByRole("button", { name: "Caption look" }).click();

export function toastOf(page: Page, title: string): Locator {
  return page
    .getByLabel("Notifications")
    .locator("> *")
    .filter({ has: page.getByText(title, { exact: true }) });
}

export async function expectError(page: Page, title: string, description: string): Promise<void> {
  const toast = page.getByRole("alert").filter({ has: page.getByText(title, { exact: true }) });
  await expect(toast.getByText(description, { exact: true })).toBeVisible();
  await toast.getByRole("button", { name: "Dismiss" }).click();
  await expect(toast).toHaveCount(0);
}

export const captionsOf = (page: Page): Locator => page.getByRole("textbox", { name: "Captions", exact: true });
export const audioLinksOf = (page: Page): Locator =>
  page.getByRole("textbox", { name: "Audio links", includeHidden: true });
export const captionPickerOf = (page: Page): Locator => page.getByRole("combobox", { name: "Saved caption sets" });
export const audioPickerOf = (page: Page): Locator => page.getByRole("combobox", { name: "Saved audio sets" });
export const startOf = (page: Page): Locator => page.getByRole("button", { name: "Start Processing" });

/** Replaces a field's content. `fill` is slow for thousands of lines. */
export async function paste(page: Page, field: Locator, text: string): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await field.focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Control+V");
}

/** Ignores failed requests, which tests cause on purpose. */
export function unexpectedErrors(errors: readonly string[]): string[] {
  return errors.filter((error) => !error.startsWith("Failed to load resource"));
}

/** Returns an expectation about the last preview that the page requests. */
export function watchPreviews(page: Page): (expected: Record<string, unknown>) => Promise<void> {
  let last: Partial<PreviewRequest> = {};
  page.on("request", (request) => {
    if (request.url().endsWith("/functions/v1/preview")) last = request.postDataJSON() as PreviewRequest;
  });
  return (expected) => expect.poll(() => last).toMatchObject(expected);
}
