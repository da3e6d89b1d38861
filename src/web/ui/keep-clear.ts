/** What toasts must not cover carries this attribute: spread it on the element. */
export const keepClear = { "data-keep-clear": "" } as const;

/** The boxes of everything in sight that toasts must not cover. What a dialog has made unreachable does not count. */
export function keptClearBoxes(): DOMRect[] {
  return [...document.querySelectorAll("[data-keep-clear]")]
    .filter((element) => element.closest("[inert], [aria-hidden=true]") === null)
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0);
}
