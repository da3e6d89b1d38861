/** Spread on elements that toasts must not cover. */
export const keepClear = { "data-keep-clear": "" } as const;

const CONTROLS =
  "button, a[href], input, select, textarea, [role=button], [role=combobox], [role=slider], [role=switch]";

const DIALOG = "[role=dialog], [role=alertdialog]";

/** Returns the visible boxes; while a dialog is open, only those inside one. */
export function keepClearBoxes(): DOMRect[] {
  return visibleBoxes("[data-keep-clear]");
}

/** Returns the boxes of all controls outside toasts. */
export function controlBoxes(): DOMRect[] {
  return visibleBoxes(`:is(${CONTROLS}):not([data-toasts] *)`);
}

function visibleBoxes(selector: string): DOMRect[] {
  const isDialogOpen = document.querySelector(DIALOG) !== null;
  return [...document.querySelectorAll(selector)]
    .filter((element) => !isDialogOpen || element.closest(DIALOG) !== null)
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0);
}
