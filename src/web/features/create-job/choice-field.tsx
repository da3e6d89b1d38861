import { useController, type UseFormReturn } from "react-hook-form";
import { type ChoiceName, settingOf } from "#contract/job-settings/setting-values.ts";
import { Segmented } from "../../ui/fields/segmented.tsx";
import type { JobForm } from "./draft/job-form.ts";
import { fieldOf, type FieldValue, optionsOf } from "./setting-fields.ts";

const ABOVE = "grid content-start gap-1.5";
/** Label beside the choices on phones: half the height. */
const BESIDE_ON_PHONES = `${ABOVE} max-desk:w-full max-desk:grid-cols-[minmax(0,1fr)_auto] max-desk:items-center`;

export function ChoiceField<Name extends ChoiceName>({
  form: { control },
  name,
  label = settingOf(name).label,
  hints,
  isOverridden = false,
  onChoose,
}: {
  form: UseFormReturn<JobForm>;
  name: Name;
  label?: string | undefined;
  hints?: Readonly<Record<FieldValue<Name> & string, string>> | undefined;
  /** Selects nothing because another setting takes precedence. */
  isOverridden?: boolean;
  onChoose?: (value: FieldValue<Name> & string) => void;
}) {
  const { value, onChange } = useController({ control, name: fieldOf<ChoiceName>(name) }).field;
  return (
    <div className={hints ? ABOVE : BESIDE_ON_PHONES}>
      <span className="font-medium text-ink" aria-hidden>
        {label}
      </span>
      <Segmented
        label={label}
        options={optionsOf(name) as readonly { value: FieldValue<Name> & string; label: string }[]}
        value={isOverridden ? null : (value as FieldValue<Name> & string)}
        onChange={(choice) => {
          onChange(choice);
          onChoose?.(choice);
        }}
      />
      {hints && <span className="text-12 text-ink-3">{hints[value as keyof typeof hints]}</span>}
    </div>
  );
}
