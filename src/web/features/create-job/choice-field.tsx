import { useController, type UseFormReturn } from "react-hook-form";
import { Segmented } from "../../ui/segmented.tsx";
import type { JobForm } from "./job-form.ts";

const ABOVE = "grid content-start gap-1.5";
/** Several of these follow each other: on a phone their names stand beside them, which takes half the height. */
const BESIDE_ON_PHONES = `${ABOVE} max-desk:w-full max-desk:grid-cols-[minmax(0,1fr)_auto] max-desk:items-center`;

/** A choice that the form holds, all of it in sight: its name above, and below what is chosen means where that needs a word. */
export function ChoiceField<
  Name extends "captionStyle" | "captionPosition" | "captionSize" | "quality" | "segmentation",
>({
  form: { control },
  name,
  label,
  labels,
  hints,
}: {
  form: UseFormReturn<JobForm>;
  name: Name;
  label: string;
  /** The values in the order in which they are shown, and their names. */
  labels: Record<JobForm[Name], string>;
  hints?: Record<JobForm[Name], string>;
}) {
  const { value, onChange } = useController({ control, name }).field;
  const options = (Object.entries(labels) as [JobForm[Name], string][]).map(([of, text]) => ({
    value: of,
    label: text,
  }));
  return (
    <div className={hints ? ABOVE : BESIDE_ON_PHONES}>
      <span className="font-medium text-ink" aria-hidden>
        {label}
      </span>
      <Segmented label={label} options={options} value={value} onChange={onChange} />
      {hints && <span className="text-12 text-ink-3">{hints[value]}</span>}
    </div>
  );
}
