import type { Page } from "@playwright/test";

/** What a finger can hit reliably. */
const LEAST_TARGET_PIXELS = 44;

/**
 * Returns what can be pressed but is less than 44 px high, with its height. A label counts with its field, and a link in
 * a sentence is as high as its line (WCAG 2.5.5). Counts what an overlay of the target adds.
 */
export function shortTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const pressable = "a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=switch]";
    const isHitAround = (element: Element) => {
      element.scrollIntoView({ block: "center" });
      const { x, y, width, height } = element.getBoundingClientRect();
      // Like the link to the content, which only keyboards reach.
      if (y + height <= 0) return true;
      const reach = least / 2 - 1;
      return [-reach, reach].every((away) => {
        const hit = document.elementFromPoint(x + width / 2, y + height / 2 + away);
        return hit !== null && element.contains(hit);
      });
    };
    return [...document.querySelectorAll(pressable)].flatMap((element) => {
      const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (!isShown || element.closest("[inert]")) return [];
      const { width, height } = (element.closest("label") ?? element).getBoundingClientRect();
      const labels = [...((element as HTMLInputElement).labels ?? [])].map(
        (label) => label.getBoundingClientRect().height,
      );
      const tallest = Math.max(height, ...labels);
      const isInSentence = getComputedStyle(element).display === "inline";
      if (width <= 1 || tallest >= least - 0.5 || isInSentence || isHitAround(element)) return [];
      const name = element.getAttribute("aria-label") ?? (element.textContent || element.getAttribute("placeholder"));
      return [`${element.tagName.toLowerCase()} "${name?.trim().slice(0, 40)}": ${Math.round(tallest)} px`];
    });
  }, LEAST_TARGET_PIXELS);
}
