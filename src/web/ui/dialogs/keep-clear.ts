/** Marks an element that toasts must not cover: spread it on the element. */
export const keepClear = { "data-keep-clear": "" } as const;

const DIALOG = "[role=dialog], [role=alertdialog]";

/** The boxes of everything in sight that toasts must not cover. While a dialog is open, only what is in one counts. */
export function keptClearBoxes(): DOMRect[] {
  const isDialogOpen = document.querySelector(DIALOG) !== null;
  return [...document.querySelectorAll("[data-keep-clear]")]
    .filter((element) => !isDialogOpen || element.closest(DIALOG) !== null)
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0);
}
