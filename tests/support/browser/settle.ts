import type { Page } from "@playwright/test";

/**
 * Waits for animations, because a half-faded dialog has too little contrast. Skips endless ones (spinners).
 * A dialog that was just mounted starts its animation a frame later, when it loses `data-starting-style`.
 */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const running = (): Animation[] =>
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity);
    do {
      await new Promise(requestAnimationFrame);
      // Canceled animations reject.
      await Promise.allSettled(running().map((animation) => animation.finished));
    } while (document.querySelector("[data-starting-style]") || running().length > 0);
  });
}
