import { useEffect, useState } from "react";
import { useToast } from "../../ui/use-toast.ts";

const COPIED_MS = 2_000;

/** Copies a text; `isCopied` holds for two seconds. */
export function useCopy(): { copy: (text: string) => void; isCopied: boolean } {
  const toast = useToast();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(setIsCopied, COPIED_MS, false);
    return () => clearTimeout(timer);
  }, [isCopied]);

  function copy(text: string) {
    navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => toast.show({ title: "Error", description: "Failed to copy to clipboard", variant: "destructive" }),
    );
  }
  return { copy, isCopied };
}
