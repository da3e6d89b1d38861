import { useEffect, useEffectEvent, useRef } from "react";
import { useToast } from "../toasts/use-toast.ts";

type Option = { value: string; label: string };

/** Shows a toast when the chosen option disappears and calls `onLost`; selects nothing else instead. */
export function useLostChoice(choice: {
  label: string;
  options: readonly Option[];
  value: string | null;
  onLost: (() => void) | undefined;
}): void {
  const toast = useToast();
  const last = useRef<Option | null>(null);
  const { label, options, value } = choice;
  const chosen = options.find((option) => option.value === value);
  const handleLost = useEffectEvent((lost: Option) => {
    toast.show({
      title: "Selection cleared",
      description: `${label.replace(/ \*$/, "")}: ${lost.label} is no longer available.`,
    });
    choice.onLost?.();
  });

  useEffect(() => {
    const before = last.current;
    last.current = chosen ?? null;
    // The operator chose another option or none; the earlier one still exists.
    if (chosen || !before || (value !== null && value !== before.value)) return;
    if (options.every((option) => option.value !== before.value)) handleLost(before);
  }, [chosen, options, value]);
}
