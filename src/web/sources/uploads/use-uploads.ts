import { useEffect, useSyncExternalStore } from "react";
import type { UploadUse } from "#contract/library.ts";
import { cancelUpload, listResumableUploads, uploadFile } from "../../api/functions/library.ts";
import { onScreensClose } from "../../api/connection/session.ts";
import {
  countUnfinished,
  createUploadStore,
  describeDuplicates,
  hasFileOf,
  type SendFile,
  type VisibleUploads,
} from "./upload-store.ts";
import { useToast } from "../../ui/toasts/use-toast.ts";

export type UploadStore = ReturnType<typeof createUploadStore>;

const RECHECK_MS = 2_000;
/** Smaller files are sent in one request. */
const RESUMABLE_BYTES = 8 * 1024 ** 2;

type UploadScreen = "job" | "lab" | "library";

function createSender(screen: UploadScreen): SendFile {
  return async (file, use, options) => {
    if (file.size < RESUMABLE_BYTES) return await uploadFile(file, use, options);
    const { sendResumable } = await import("./send-resumable.ts");
    return await sendResumable(file, { ...options, use, screen });
  };
}

/** This tab's uploads for the form of a new job, which receives their links. */
export const jobUploads = createUploadStore(createSender("job"), cancelUpload);
const changeUploads = new Map<string, UploadStore>();

/** This tab's uploads for the form that changes a job. */
export function uploadsOfChange(jobId: string): UploadStore {
  const store = changeUploads.get(jobId) ?? createUploadStore(createSender("job"), cancelUpload);
  changeUploads.set(jobId, store);
  return store;
}

/** This tab's uploads for Caption Lab. */
export const labUploads = createUploadStore(createSender("lab"), cancelUpload);

/** This tab's uploads for the library only. */
export const libraryUploads = createUploadStore(createSender("library"), cancelUpload);

const listStores = () => [jobUploads, labUploads, libraryUploads, ...changeUploads.values()];

onScreensClose(() => {
  for (const store of listStores()) store.clear();
});

/** Rerenders on every change, including progress. */
export function useUploads(store: UploadStore): VisibleUploads {
  return useSyncExternalStore(store.subscribe, store.read);
}

export function useUnfinishedUploads(store: UploadStore, isOn?: (use: UploadUse) => boolean): number {
  return useSyncExternalStore(store.subscribe, () => countUnfinished(store.read(), isOn));
}

/** Between two parts, the server lists a running upload as waiting. It may be another form's. */
function isHere({ id }: { id: string }): boolean {
  return listStores().some((store) => hasFileOf(store.read(), id));
}

/** Shows uploads from an earlier page of `screen`; none if the request fails. */
export function useInterruptedUploads(store: UploadStore, screen: UploadScreen): void {
  useEffect(() => {
    const leaving = new AbortController();
    const show = async () => {
      const known = await listResumableUploads(leaving.signal);
      const own = known.filter((upload) => upload.screen === screen && !isHere(upload));
      store.showInterrupted(own.filter(({ state }) => state === "waiting"));
      // After a reload, the server may not have noticed that the sender is gone.
      const isUncertain = own.some(({ state }) => state === "receiving");
      if (isUncertain && !leaving.signal.aborted) again = setTimeout(() => void show().catch(() => {}), RECHECK_MS);
    };
    let again: ReturnType<typeof setTimeout> | undefined;
    show().catch(() => {});
    return () => {
      leaving.abort();
      clearTimeout(again);
    };
  }, [store, screen]);
}

/** Warns before closing the tab, which would interrupt uploads. */
export function useLeaveWarning(store: UploadStore): void {
  const isUploading = useUnfinishedUploads(store) > 0;
  useEffect(() => {
    if (!isUploading) return undefined;
    const stop = new AbortController();
    window.addEventListener("beforeunload", (event) => event.preventDefault(), stop);
    return () => stop.abort();
  }, [isUploading]);
}

/** Shows one toast for a batch, when all of it has arrived. */
export function useDuplicateToasts(store: UploadStore): void {
  const toast = useToast();
  const shown = useUploads(store);
  const { duplicates } = shown;
  const isComing = countUnfinished(shown) > 0;
  useEffect(() => {
    if (duplicates.length === 0 || isComing) return;
    store.takeDuplicates();
    toast.show({ title: "Already in the Library", description: describeDuplicates(duplicates) });
  }, [duplicates, isComing, store, toast]);
}
