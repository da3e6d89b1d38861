import type { Page } from "@playwright/test";

/** Waits for movements to end: half faded in, a dialog has less contrast than it is designed with. A spinner never ends. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(() =>
    // one that is cut short has ended, too
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
        .map((animation) => animation.finished),
    ),
  );
}
