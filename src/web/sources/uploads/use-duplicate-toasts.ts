import { useEffect } from "react";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { describeDuplicates } from "./upload-store.ts";
import { useUploads, type UploadStore } from "./use-uploads.ts";

/** Says which uploads were in the library already. */
export function useDuplicateToasts(store: UploadStore): void {
  const toast = useToast();
  const { duplicates } = useUploads(store);
  useEffect(() => {
    if (duplicates.length === 0) return;
    store.takeDuplicates();
    toast.show({ title: "Already in the Library", description: describeDuplicates(duplicates) });
  }, [duplicates, store, toast]);
}
