import { type ComponentProps, type ReactNode, useId } from "react";
import { Switch } from "./switch.tsx";

type SwitchRowProps = Omit<ComponentProps<typeof Switch>, "isLabelHidden" | "children"> & {
  text?: ReactNode;
  /** Below the text. */
  children?: ReactNode;
};

/** A label with what it means, and its switch at the end of the row. */
export function SwitchRow({ label, text, children, ...input }: SwitchRowProps) {
  const textId = useId();
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="grid min-w-0 gap-0.5">
        <span aria-hidden className="font-medium text-ink">
          {label}
        </span>
        {text && (
          <span id={textId} className="text-12 text-ink-3">
            {text}
          </span>
        )}
        {children}
      </div>
      {/* As high as the label's line. */}
      <span className="flex min-h-5 items-center max-desk:-mt-3">
        <Switch {...input} label={label} isLabelHidden aria-describedby={text ? textId : undefined} />
      </span>
    </div>
  );
}
