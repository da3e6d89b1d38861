import type { Page } from "@playwright/test";

/** Adds up what moves by itself, as web.dev's CLS does within one session window. Call before the page opens. */
export async function watchLayoutShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) window.layoutShift = (window.layoutShift ?? 0) + entry.value;
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** Since the page opened, or the last call. */
export async function takeLayoutShift(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const shift = window.layoutShift ?? 0;
    window.layoutShift = 0;
    return shift;
  });
}

declare global {
  interface Window {
    layoutShift?: number;
  }
}
