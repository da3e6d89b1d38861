import { useController, type UseFormReturn } from "react-hook-form";
import { settingOf } from "#contract/job-settings/setting-values.ts";
import { ClipInput } from "../../../sources/clip-input.tsx";
import type { JobForm } from "../draft/job-form.ts";
import { fieldOf } from "../setting-fields.ts";

/** A video that all files start or end with. */
export function ClipField({ form, name }: { form: UseFormReturn<JobForm>; name: "intro_link" | "outro_link" }) {
  const { value, onChange } = useController({ control: form.control, name: fieldOf(name) }).field;
  return <ClipInput label={settingOf(name).label} value={value} onChange={onChange} />;
}
