/** Fetches the code of the dialogs and sheets of this screen, so that each opens at once, and without a connection too. */
export async function loadDialogs(): Promise<void> {
  const parts = [
    import("../../ui/confirm-dialog-popup.tsx"),
    import("../../ui/dialog-popup.tsx"),
    import("../../ui/sheet-popup.tsx"),
  ];
  // One that does not come is asked for again when it is opened.
  await Promise.allSettled(parts);
}
