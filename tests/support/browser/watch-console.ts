import type { Page } from "@playwright/test";

/** Returns a live array, including uncaught exceptions. */
export function watchConsole(page: Page): string[] {
  const faults: string[] = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  return faults;
}
