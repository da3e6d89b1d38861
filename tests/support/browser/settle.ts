import type { Page } from "@playwright/test";

/**
 * Waits for animations, because axe finds too little contrast in a half-faded dialog. Skips endless ones (spinners). A
 * newly mounted dialog starts its animation a frame later, when it loses `data-starting-style`.
 */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    let running: Animation[];
    do {
      await new Promise(requestAnimationFrame);
      running = document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity);
      // Canceled animations reject.
      await Promise.allSettled(running.map((animation) => animation.finished));
    } while (running.length > 0 || document.querySelector("[data-starting-style]"));
  });
}
