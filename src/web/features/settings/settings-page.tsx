import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { faultOfPage, type PageSetting, variableOf } from "#contract/settings/embedded-pages.ts";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { embeddedPagesKey, loadSettings, settingsKey } from "../../api/functions/settings/settings.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { AccountSection } from "./account/account-section.tsx";
import { AuditSection } from "./audit/audit-section.tsx";
import { ConnectionsSection } from "./connections/connections-section.tsx";
import { DefaultsSection } from "./defaults/defaults-section.tsx";
import { DestinationsSection } from "./destinations/destinations-section.tsx";
import { FilesSection } from "./files/files-section.tsx";
import { ApiKeysSection } from "./keys/api-keys-section.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { SourcesSection } from "./sources/sources-section.tsx";
import { SystemSection } from "./system/system-section.tsx";
import { TokensSection } from "./tokens/tokens-section.tsx";
import { useSettingsForm } from "./use-settings-form.ts";
import { WebhooksSection } from "./webhooks/webhooks-section.tsx";

export function SettingsPage() {
  const settings = useQuery({ queryKey: settingsKey, queryFn: ({ signal }) => loadSettings(signal) });
  useFailureToast(settings.isLoadingError);
  return (
    <Pane>
      <PageHead title="Settings" subtitle="Keys, defaults, workers and your account" />
      {settings.data && (
        <>
          <ApiKeysSection settings={settings.data} />
          <DefaultsSection settings={settings.data} />
          <SourcesSection settings={settings.data} />
          <FilesSection settings={settings.data} />
          <PagesSection settings={settings.data} />
        </>
      )}
      {settings.isPending && <SettingsSkeleton />}
      {settings.isLoadingError && (
        <div className="border-t border-line">
          <ErrorState
            title="Failed to load settings"
            text="You can still manage your account below."
            isRetrying={settings.isFetching}
            onRetry={() => void settings.refetch()}
          />
        </div>
      )}
      <ConnectionsSection settings={settings.data} />
      <DestinationsSection />
      <SystemSection />
      <AccountSection />
      <TokensSection />
      <WebhooksSection />
      <AuditSection />
    </Pane>
  );
}

function useFailureToast(isFailed: boolean) {
  const toast = useToast();
  useEffect(() => {
    if (isFailed) toast.show({ title: "Error", description: "Failed to load settings", variant: "destructive" });
  }, [isFailed, toast]);
}

function SettingsSkeleton() {
  return (
    <div aria-busy>
      {["API Keys", "Default Processing Options"].map((title) => (
        <SettingsSection key={title} title={title}>
          {[0, 1].map((row) => (
            <div key={row} className="grid gap-2">
              <Skeleton className="h-4 w-40" />
              <Skeleton className="h-8 w-full max-desk:h-11" />
            </div>
          ))}
        </SettingsSection>
      ))}
    </div>
  );
}

const FIELDS: { name: PageSetting; label: string; hint: string }[] = [
  { name: "batch_scheduler_url", label: "Batch Scheduler address", hint: "The page where you plan your posts" },
  { name: "warmup_robot_url", label: "Warmup Robot address", hint: "The control page of your account warmup tool" },
];

type PagesForm = Record<PageSetting, string>;

function PagesSection({ settings }: { settings: SettingsResponse }) {
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
      title="Embedded Pages"
      text="External pages shown on the Batch Scheduler and Warmup Robot screens."
      onSubmit={handleSubmit}
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
  const problem = faultOfPage(typed.trim(), (origin) => origin === location.origin);
  return problem === null || `The address ${problem}.`;
}
