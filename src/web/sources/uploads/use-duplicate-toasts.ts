import { useEffect } from "react";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { describeDuplicates } from "./describe-duplicates.ts";
import { useUploads, type UploadStore } from "./use-uploads.ts";

/** Says which uploads were in the library already. */
export function useDuplicateToasts(store: UploadStore): void {
  const toast = useToast();
  const { duplicates } = useUploads(store);
  useEffect(() => {
    const taken = store.takeDuplicates();
    if (taken.length > 0) toast.show({ title: "Already in the Library", description: describeDuplicates(taken) });
  }, [duplicates, store, toast]);
}
