/** Tests for an event on a toast: dialogs and sheets below stay open when it is dismissed. */
export function isToastPress(event: Event): boolean {
  return event.target instanceof Element && event.target.closest("[data-toasts]") !== null;
}
