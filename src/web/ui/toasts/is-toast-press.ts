/** Dialogs and sheets stay open when a toast above them is dismissed. */
export function isToastPress(event: Event): boolean {
  return event.target instanceof Element && event.target.closest("[data-toasts]") !== null;
}
