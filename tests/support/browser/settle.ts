import type { Page } from "@playwright/test";

/** Waits for animations, because a half-faded dialog has too little contrast. Skips endless ones (spinners). */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(() =>
    // Canceled animations reject.
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
        .map((animation) => animation.finished),
    ),
  );
}
