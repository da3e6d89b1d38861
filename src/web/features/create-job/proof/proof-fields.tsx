import { useController, useWatch, type UseFormReturn } from "react-hook-form";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { parseSampleRows } from "#contract/jobs/rows.ts";
import { SwitchRow } from "../../../ui/fields/switch-row.tsx";
import { ChoiceField } from "../choice-field.tsx";
import type { JobForm } from "../draft/job-form.ts";
import { SettingField } from "../setting-field.tsx";

const SUGGESTED = "3";
const OFF = "0";

const HINTS = {
  first: "The first videos in the list.",
  random: "Videos from anywhere in the list.",
  rows: "The videos with these numbers in the list.",
} as const satisfies Record<JobForm["proofPick"], string>;

export function ProofFields({ form }: { form: UseFormReturn<JobForm> }) {
  const { value, onChange } = useController({ control: form.control, name: "proofCount" }).field;
  const isOn = value.trim() !== OFF;
  return (
    <div className="grid gap-4">
      <SwitchRow
        label="Make samples first"
        text="The job makes a few files and waits until you approve them. You can share them with a guest link."
        checked={isOn}
        onChange={(event) => onChange(event.target.checked ? SUGGESTED : OFF)}
      />
      {isOn && (
        <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
          <div className="w-28">
            <SettingField form={form} name="proof_count" hint={`At most ${JOB_LIMITS.samples}`} />
          </div>
          <ChoiceField form={form} name="proof_pick" hints={HINTS} />
          <RowsField form={form} />
        </div>
      )}
    </div>
  );
}

function RowsField({ form }: { form: UseFormReturn<JobForm> }) {
  const [pick, rows] = useWatch({ control: form.control, name: ["proofPick", "proofRows"] });
  if (pick !== "rows") return null;
  const isUnreadable = parseSampleRows(rows) === null;
  return (
    <div className="w-56">
      <SettingField
        form={form}
        name="proof_rows"
        hint={isUnreadable ? "Use numbers and ranges, such as 1, 4, 9-12" : "Such as 1, 4, 9-12"}
      />
    </div>
  );
}
