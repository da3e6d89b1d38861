import { useController, useWatch, type UseFormReturn } from "react-hook-form";
import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import { type ChoiceName, settingOf } from "#contract/job-settings/setting-values.ts";
import { ColorField } from "../../ui/fields/color-field.tsx";
import { NumberField, TextField } from "../../ui/fields/text-field.tsx";
import { Slider } from "../../ui/fields/slider.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { TextAreaField } from "../../ui/fields/text-area-field.tsx";
import { ChoiceField } from "./choice-field.tsx";
import type { JobForm } from "./draft/job-form.ts";
import { type FieldName, fieldOf, readNumber, readOptionalNumber, readTypedColor } from "./setting-fields.ts";

type FieldProps = {
  form: UseFormReturn<JobForm>;
  /** Any except set IDs, which have a picker. */
  name: keyof JobSettings;
  hint?: string | undefined;
  /** For numbers. */
  label?: string | undefined;
  limitError?: string | undefined;
  error?: string | undefined;
};

export function SettingField(props: FieldProps) {
  const { form, name, hint } = props;
  const row = settingOf(name);
  switch (row.kind) {
    case "flag":
      return <Switch {...form.register(fieldOf(name))} label={row.label} />;
    case "choice":
      return <ChoiceField form={form} name={name as ChoiceName} />;
    case "gain":
      return <GainField {...props} />;
    case "share":
      return <ShareField {...props} />;
    case "number":
      return <SettingNumberField {...props} />;
    case "optionalNumber":
      return <OptionalNumberField {...props} />;
    case "color":
      return <SettingColorField {...props} />;
    case "list":
    case "requiredList":
      return <TextAreaField {...form.register(fieldOf(name))} label={row.label} rows={3} hint={hint} />;
    case "text":
    case "link":
    case "requiredText":
      return (
        <TextField
          {...form.register(fieldOf(name))}
          label={row.label}
          autoComplete="off"
          maxLength={row.maxCharacters}
          hint={hint}
        />
      );
    case "id":
    case "ids":
    case "shape":
      return null;
  }
}

function GainField({ form: { control }, name }: FieldProps) {
  const { value, onChange } = useController({ control, name: fieldOf(name) }).field;
  return <Slider label={settingOf(name).label} value={value as number} onChange={onChange} />;
}

function ShareField({ form: { control }, name }: FieldProps) {
  const row = settingOf(name);
  const { value, onChange } = useController({ control, name: fieldOf(name) }).field;
  if (row.kind !== "share") return null;
  const range = { min: row.least ?? 0, step: 0.05, format: toPercent };
  return <Slider label={row.label} value={value as number} {...range} onChange={onChange} />;
}

function toPercent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** On blur, replaces invalid input with a number. */
function SettingNumberField({ form, name, hint, label, limitError, error }: FieldProps) {
  const row = settingOf(name);
  const field: FieldName = fieldOf(name);
  const value = useWatch({ control: form.control, name: field });
  if (row.kind !== "number") return null;
  const number = readNumber(row, value);
  return (
    <NumberField
      {...form.register(field, { onBlur: () => form.setValue(field, String(number)) })}
      label={label ?? row.label}
      hint={hint}
      error={number > row.most ? (limitError ?? `At most ${row.most.toLocaleString("en")}`) : error}
    />
  );
}

/** On blur, expands a color to its full form and replaces invalid input with the default. */
function SettingColorField({ form, name, hint }: FieldProps) {
  const row = settingOf(name);
  const field = fieldOf(name) as "captionColor";
  const { value, onChange } = useController({ control: form.control, name: field }).field;
  if (row.kind !== "color") return null;
  const color = readTypedColor(row, value);
  return (
    <ColorField
      label={row.label}
      hint={hint}
      value={value}
      color={color ?? row.default}
      error={color === null ? "Enter a color such as #ffcc00" : undefined}
      onChange={onChange}
      onBlur={() => onChange(color ?? row.default)}
    />
  );
}

/** On blur, clamps to the limits. */
function OptionalNumberField({ form, name, hint, label, error }: FieldProps) {
  const row = settingOf(name);
  const field: FieldName = fieldOf(name);
  if (row.kind !== "optionalNumber") return null;
  const tidy = () => form.setValue(field, String(readOptionalNumber(row, form.getValues(field)) ?? ""));
  return (
    <NumberField
      {...form.register(field, { onBlur: tidy })}
      label={label ?? row.label}
      hint={hint}
      error={error}
      isSigned={row.least < 0}
    />
  );
}
