/** Keeps dialogs and sheets below open when a toast is dismissed. */
export function isToastPress(event: Event): boolean {
  return event.target instanceof Element && event.target.closest("[data-toasts]") !== null;
}
