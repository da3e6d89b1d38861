import type { ComponentProps } from "react";
import { Segmented } from "./segmented.tsx";

export function SegmentedField<Value extends string>({
  hint,
  ...choice
}: ComponentProps<typeof Segmented<Value>> & { hint?: string }) {
  return (
    <div className="grid content-start gap-1.5">
      <span className="font-medium text-ink" aria-hidden>
        {choice.label}
      </span>
      <Segmented {...choice} />
      {hint !== undefined && <span className="text-12 text-ink-3">{hint}</span>}
    </div>
  );
}
