/** Spread on elements that toasts must not cover. */
export const keepClear = { "data-keep-clear": "" } as const;

const DIALOG = "[role=dialog], [role=alertdialog]";

/** Returns the visible boxes; while a dialog is open, only those inside one. */
export function keepClearBoxes(): DOMRect[] {
  const isDialogOpen = document.querySelector(DIALOG) !== null;
  return [...document.querySelectorAll("[data-keep-clear]")]
    .filter((element) => !isDialogOpen || element.closest(DIALOG) !== null)
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0);
}
