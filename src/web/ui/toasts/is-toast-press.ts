/** True for an event on a toast: toasts stand above dialogs and sheets, which stay open while one is dismissed. */
export function isToastPress(event: Event): boolean {
  return event.target instanceof Element && event.target.closest("[data-toasts]") !== null;
}
