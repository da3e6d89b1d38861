/** Returns true for an event on a toast. Toasts are above dialogs and sheets, which stay open when one is dismissed. */
export function isToastPress(event: Event): boolean {
  return event.target instanceof Element && event.target.closest("[data-toasts]") !== null;
}
