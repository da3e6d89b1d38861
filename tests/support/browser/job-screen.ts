import { expect, type Locator, type Page } from "@playwright/test";

export const DRIVE = "https://drive.google.com/file/d";

export async function openJobScreen(page: Page, url: string, query = ""): Promise<void> {
  const loaded = ["caption-sets", "audio-sets", "settings"].map((name) =>
    page.waitForResponse((response) => response.url().endsWith(`/functions/v1/${name}`)),
  );
  await page.goto(`${url}/video-processing${query}`);
  await Promise.all(loaded);
  await expect(page.getByLabel("Job name")).toBeVisible();
}

/** Also waits for the list of videos, which moves the fields below it. */
export async function fillVideoLinks(page: Page, text: string): Promise<void> {
  await page.getByLabel("Video links").fill(text);
  await expect(page.getByRole("grid", { name: "Videos" })).toBeVisible();
}

export function toastOf(page: Page, title: string): Locator {
  return page
    .getByLabel("Notifications")
    .locator("> *")
    .filter({ has: page.getByText(title, { exact: true }) });
}

export async function expectRefusal(page: Page, title: string, description: string): Promise<void> {
  const toast = page.getByRole("alert").filter({ has: page.getByText(title, { exact: true }) });
  await expect(toast.getByText(description, { exact: true })).toBeVisible();
  await toast.getByRole("button", { name: "Dismiss" }).click();
  await expect(toast).toHaveCount(0);
}

export const captionsOf = (page: Page): Locator => page.getByRole("textbox", { name: "Captions", exact: true });
export const audioLinksOf = (page: Page): Locator => page.getByRole("textbox", { name: "Audio links" });
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
export function unexpectedFaults(faults: readonly string[]): string[] {
  return faults.filter((fault) => !fault.startsWith("Failed to load resource"));
}
