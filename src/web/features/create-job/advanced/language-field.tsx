import { useState } from "react";
import { useController, type UseFormReturn } from "react-hook-form";
import { settingOf } from "#contract/job-settings/setting-values.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import {
  canonicalTag,
  canonicalTags,
  LANGUAGE_RULE,
  nameOfLanguage,
  splitTags,
} from "#contract/jobs/outputs/languages.ts";
import { TextField } from "../../../ui/fields/text-field.tsx";
import type { JobForm } from "../draft/job-form.ts";

/** The form has one tag per line; commas and spaces are as typed. */
export default function LanguageField({ form }: { form: UseFormReturn<JobForm> }) {
  const { value, onChange, onBlur } = useController({ control: form.control, name: "languages" }).field;
  const [typed, setTyped] = useState("");
  const tags = splitTags(value);
  return (
    <TextField
      label={settingOf("languages").label}
      autoComplete="off"
      spellCheck={false}
      placeholder="de, ja, pt-BR"
      value={splitTags(typed).join("\n") === value ? typed : tags.join(", ")}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(splitTags(target.value).join("\n"));
      }}
      onBlur={onBlur}
      hint={describeHint(tags)}
      error={problemOf(tags)}
    />
  );
}

function problemOf(tags: readonly string[]): string | undefined {
  if (tags.some((tag) => canonicalTag(tag) === null)) return LANGUAGE_RULE;
  return canonicalTags(tags).length > JOB_LIMITS.languages ? `At most ${JOB_LIMITS.languages} languages` : undefined;
}

function describeHint(tags: readonly string[]): string {
  if (tags.length === 0) return "Optional. Each variant is made once per language, with translated captions.";
  const names = canonicalTags(tags).map(nameOfLanguage);
  return `${names.join(", ")}. The captions are translated, following the glossary in Settings.`;
}
