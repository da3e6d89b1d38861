import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { loadSettings, settingsKey } from "../../api/functions/settings/settings.ts";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { AccountSection } from "./account/account-section.tsx";
import { ApiKeysSection } from "./keys/api-keys-section.tsx";
import { AuditSection } from "./audit/audit-section.tsx";
import { ConnectionsSection } from "./connections/connections-section.tsx";
import { DestinationsSection } from "./destinations/destinations-section.tsx";
import { DefaultsSection } from "./defaults/defaults-section.tsx";
import { FilesSection } from "./files/files-section.tsx";
import { SourcesSection } from "./sources/sources-section.tsx";
import { PagesSection } from "./pages-section.tsx";
import { SettingsSkeleton } from "./settings-skeleton.tsx";
import { TokensSection } from "./tokens/tokens-section.tsx";
import { SystemSection } from "./system/system-section.tsx";
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
