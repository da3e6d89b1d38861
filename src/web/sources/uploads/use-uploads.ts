import { useEffect, useSyncExternalStore } from "react";
import { uploadFile } from "../../api/functions/library.ts";
import { auth } from "../../api/connection/client.ts";
import { createUploadStore, type VisibleUploads } from "./upload-store.ts";

export type UploadStore = ReturnType<typeof createUploadStore>;

/** This tab's uploads for the job form. Their links are added to it. */
export const jobUploads = createUploadStore(uploadFile);
/** This tab's uploads that only go to the library. */
export const libraryUploads = createUploadStore(uploadFile);

// Uploads do not outlive a session.
auth.onAuthStateChange((_event, session) => {
  if (session) return;
  jobUploads.clear();
  libraryUploads.clear();
});

/** Re-renders at every change, including each progress report. */
export function useUploads(store: UploadStore): VisibleUploads {
  return useSyncExternalStore(store.subscribe, store.read);
}

/** Asks before the tab is closed: that would abort uploads in progress. */
export function useLeaveWarning(store: UploadStore): void {
  const isUploading = useUploads(store).uploads.some(({ state }) =>
    ["waiting", "sending", "checking"].includes(state.kind),
  );
  useEffect(() => {
    if (!isUploading) return undefined;
    const stop = new AbortController();
    window.addEventListener("beforeunload", (event) => event.preventDefault(), stop);
    return () => stop.abort();
  }, [isUploading]);
}
