import type { Page } from "@playwright/test";

/** Gathers whatever the page logs as an error or throws from now on; a test expects it to stay empty. */
export function watchConsole(page: Page): string[] {
  const faults: string[] = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  return faults;
}
