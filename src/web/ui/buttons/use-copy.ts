import { useEffect, useState } from "react";
import { useToast } from "../toasts/use-toast.ts";

const COPIED_MS = 2_000;

/** `copied` is the last text for two seconds, then null. */
export function useCopy() {
  const toast = useToast();
  const [copied, setCopied] = useState<{ text: string } | null>(null);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(setCopied, COPIED_MS, null);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy(text: string) {
    try {
      // The clipboard API is unavailable on plain http.
      await navigator.clipboard.writeText(text);
      setCopied({ text });
    } catch {
      toast.show({ title: "Error", description: "Failed to copy to clipboard", variant: "destructive" });
    }
  }
  return { copied: copied?.text ?? null, copy: (text: string) => void copy(text) };
}
