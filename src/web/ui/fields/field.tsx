import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";
import { Icon } from "../page/icon.tsx";

export type FieldTexts = {
  label: ReactNode;
  /** Keeps the label for screen readers. */
  isLabelHidden?: boolean | undefined;
  /** Replaced by an error. */
  hint?: ReactNode;
  error?: string | undefined;
};

export const controlClasses =
  "w-full rounded-2 border bg-well px-2.5 text-ink transition-colors placeholder:text-ink-3 placeholder:opacity-100 " +
  // The ring covers the border; a wrapper shows it for the input inside.
  "focus-within:border-transparent focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus " +
  "disabled:cursor-not-allowed disabled:text-ink-off";

export function edgeClasses(error: string | undefined): string {
  return error ? "border-failed" : "border-line-strong hover:border-control";
}

/** Returns undefined without a hint or error. */
export function describedBy(id: string, { hint, error }: Pick<FieldTexts, "hint" | "error">): string | undefined {
  return hint || error ? `${id}-hint` : undefined;
}

export function Field({
  id,
  label,
  isLabelHidden = false,
  hint,
  error,
  children,
}: FieldTexts & { id: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-1.5">
      <label htmlFor={id} className={classNames("font-medium text-ink", isLabelHidden && "sr-only")}>
        {label}
      </label>
      {children}
      <FieldHint id={id} hint={hint} error={error} />
    </div>
  );
}

function FieldHint({ id, hint, error }: { id: string } & Pick<FieldTexts, "hint" | "error">) {
  const hintId = describedBy(id, { hint, error });
  if (!hintId) return null;
  if (!error) {
    return (
      <div id={hintId} className="text-12 text-ink-3">
        {hint}
      </div>
    );
  }
  return (
    <div id={hintId} className="flex items-start gap-[5px] text-12 text-failed">
      <Icon icon={CircleAlert} size={14} className="mt-px shrink-0" />
      {error}
    </div>
  );
}

/** Returns "" if the field is missing. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
