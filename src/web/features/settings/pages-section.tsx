import { useQueryClient } from "@tanstack/react-query";
import { problemOfPage, type PageSetting, variableOf } from "#contract/settings/embedded-pages.ts";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { embeddedPagesKey } from "../../api/functions/settings/settings.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { useSettingsForm } from "./use-settings-form.ts";

const FIELDS: { name: PageSetting; label: string; hint: string }[] = [
  { name: "batch_scheduler_url", label: "Batch Scheduler address", hint: "The page where you plan your posts" },
  { name: "warmup_robot_url", label: "Warmup Robot address", hint: "The control page of your account warmup tool" },
];

type PagesForm = Record<PageSetting, string>;

export function PagesSection({ settings }: { settings: SettingsResponse }) {
  const client = useQueryClient();
  const { form, isEdited, isBusy, handleSubmit } = useSettingsForm<PagesForm>(settings, {
    toForm: (from) => ({
      batch_scheduler_url: from.batch_scheduler_url ?? "",
      warmup_robot_url: from.warmup_robot_url ?? "",
    }),
    toChange: (typed, edited) =>
      Object.fromEntries(
        FIELDS.filter(({ name }) => edited.has(name)).map(({ name }) => [name, typed[name].trim() || null]),
      ),
    saved: { title: "Addresses Saved", description: "Both screens now use the new addresses." },
    failed: "Couldn't save the addresses",
    showsServerMessage: true,
    onSaved: () => void client.invalidateQueries({ queryKey: embeddedPagesKey }),
  });
  const isFixed = ({ name }: { name: PageSetting }) => settings.fixed_settings.includes(name);
  return (
    <SettingsSection
      hash="embedded-pages"
      text="External pages shown on the Batch Scheduler and Warmup Robot screens."
      onSubmit={handleSubmit}
      isEdited={isEdited}
    >
      {FIELDS.map((field) => (
        <TextField
          key={field.name}
          {...form.register(field.name, { validate: explainAddress })}
          label={field.label}
          type="url"
          inputMode="url"
          placeholder="https://"
          autoComplete="off"
          spellCheck={false}
          className="raw"
          readOnly={isFixed(field)}
          hint={isFixed(field) ? `Set by ${variableOf(field.name)} in the server's environment.` : field.hint}
          error={form.formState.errors[field.name]?.message}
        />
      ))}
      {FIELDS.some((field) => !isFixed(field)) && (
        <div>
          <Button type="submit" look={isEdited ? "primary" : "neutral"} isBusy={isBusy}>
            Save addresses
          </Button>
        </div>
      )}
    </SettingsSection>
  );
}

/** The server's rule, with only the Clipmill address that the browser knows. */
function explainAddress(typed: string): true | string {
  if (typed.trim() === "") return true;
  const problem = problemOfPage(typed.trim(), (origin) => origin === location.origin);
  return problem === null || `The address ${problem}.`;
}
