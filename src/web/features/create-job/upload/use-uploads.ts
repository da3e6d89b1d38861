import { useSyncExternalStore } from "react";
import { uploadFile } from "../../../api/functions/library.ts";
import { auth } from "../../../api/connection/client.ts";
import { createUploadStore, type VisibleUploads } from "./upload-store.ts";

/** All uploads of this browser tab. */
export const uploadStore = createUploadStore(uploadFile);

// Uploads do not outlive a session.
auth.onAuthStateChange((_event, session) => {
  if (!session) uploadStore.clear();
});

/** Returns this tab's uploads. Re-renders at every change, including each progress report. */
export function useUploads(): VisibleUploads {
  return useSyncExternalStore(uploadStore.subscribe, uploadStore.read);
}
