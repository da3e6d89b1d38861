import { useToast } from "../../../ui/toasts/use-toast.ts";

/** Copies a public URL and says so, with the URL. */
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
