import type { UseFormReturn } from "react-hook-form";
import { settingOf } from "#contract/job-settings/setting-values.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { TextField } from "../../../ui/fields/text-field.tsx";
import type { JobForm, ReadForm } from "../draft/job-form.ts";
import { nameExample } from "../draft/name-example.ts";
import { useExampleLibrary } from "../draft/use-example-library.ts";

export type FormValues = { form: UseFormReturn<JobForm>; values: JobForm; read: ReadForm };

export function NamePatternField({ form, values, read }: FormValues) {
  const example = nameExample(values, read, useExampleLibrary(read));
  return (
    <TextField
      {...form.register("namePattern")}
      label={settingOf("name_pattern").label}
      autoComplete="off"
      spellCheck={false}
      maxLength={JOB_LIMITS.patternCharacters}
      placeholder="{row.sku}-{variant}-{caption:20}"
      hint={
        "name" in example && (
          <>
            Optional. The first file: <bdi className="wrap-anywhere text-ink">{example.name}</bdi>
          </>
        )
      }
      error={"problem" in example ? example.problem : undefined}
    />
  );
}
