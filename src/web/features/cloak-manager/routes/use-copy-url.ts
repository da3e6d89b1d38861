import { useToast } from "../../../ui/toasts/use-toast.ts";

/** Reports the result in a toast; never rejects. */
export function useCopyUrl(): (url: string) => Promise<void> {
  const toast = useToast();
  return async (url) => {
    try {
      await navigator.clipboard.writeText(url);
      toast.show({ title: "URL copied to clipboard", description: url, variant: "success" });
    } catch {
      toast.show({ title: "Failed to copy to clipboard", description: url, variant: "destructive" });
    }
  };
}
