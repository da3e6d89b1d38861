import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { loadSettings, settingsKey } from "../../api/functions/settings/settings.ts";
import { sectionOf } from "../../app/routing/settings-sections.ts";
import { useConnections } from "../../connections/use-connections.ts";
import { useDestinations } from "../../destinations/use-destinations.ts";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { AccountSection, useAccount, useSignInOptions, useSessions } from "./account/account-section.tsx";
import { AuditSection } from "./audit/audit-section.tsx";
import { DefaultsSection } from "./defaults/defaults-section.tsx";
import { GlossarySection } from "./defaults/glossary-section.tsx";
import { NamesSection } from "./defaults/names-section.tsx";
import { FilesSection } from "./files/files-section.tsx";
import { ApiKeysSection } from "./keys/api-keys-section.tsx";
import { ModelsSection } from "./models/models-section.tsx";
import { PagesSection } from "./pages-section.tsx";
import { ConnectionsSection } from "./sources/connections-section.tsx";
import { DestinationsSection } from "./sources/destinations-section.tsx";
import { SourcesSection } from "./sources/sources-section.tsx";
import { SystemSection, useSystem } from "./system/system-section.tsx";
import { TokensSection, useTokens } from "./tokens/tokens-section.tsx";
import { useWebhooks } from "./webhooks/use-webhooks.ts";
import { WebhooksSection } from "./webhooks/webhooks-section.tsx";

export function GeneralTab() {
  const settings = useSettings();
  return (
    <Tab queries={[settings]}>
      <WithSettings query={settings}>
        {(data) => (
          <>
            <ApiKeysSection settings={data} />
            <ModelsSection settings={data} />
            <NamesSection settings={data} />
            <DefaultsSection settings={data} />
            <GlossarySection settings={data} />
            <FilesSection settings={data} />
          </>
        )}
      </WithSettings>
    </Tab>
  );
}

export function SourcesTab() {
  const settings = useSettings();
  return (
    <Tab queries={[settings, useConnections(), useDestinations()]}>
      <WithSettings query={settings}>{(data) => <SourcesSection settings={data} />}</WithSettings>
      <ConnectionsSection settings={settings.data} />
      <DestinationsSection />
    </Tab>
  );
}

export function AccountTab() {
  return (
    <Tab queries={[useAccount(), useSignInOptions(), useSessions()]}>
      <AccountSection />
    </Tab>
  );
}

export function AutomationTab() {
  const settings = useSettings();
  return (
    <Tab queries={[settings, useTokens(), useWebhooks()]}>
      <TokensSection />
      <WebhooksSection />
      <WithSettings query={settings}>{(data) => <PagesSection settings={data} />}</WithSettings>
    </Tab>
  );
}

export function SystemTab() {
  return (
    <Tab queries={[useSystem()]}>
      <SystemSection />
      <AuditSection />
    </Tab>
  );
}

/** Shows all sections of a tab once everything is loaded or failed, so that none of them moves. */
function Tab({ queries, children }: { queries: readonly { isPending: boolean }[]; children: ReactNode }) {
  // Retries of failed queries are pending, too.
  const [isReady, setIsReady] = useState(false);
  if (!isReady && !queries.some(({ isPending }) => isPending)) setIsReady(true);
  return isReady ? <Sections>{children}</Sections> : <TabSkeleton />;
}

function Sections({ children }: { children: ReactNode }) {
  const location = useLocation();
  useEffect(() => {
    const section = sectionOf(location.hash);
    if (section) document.getElementById(section.hash)?.scrollIntoView();
  }, [location]);
  return <div>{children}</div>;
}

function TabSkeleton() {
  return (
    <div aria-busy className="grid gap-x-8 gap-y-6 px-6 py-6 max-desk:px-4 wide:grid-cols-[264px_minmax(0,600px)]">
      <Skeleton className="h-5 w-32" />
      <div className="grid gap-5">
        {["w-40", "w-28", "w-36"].map((width) => (
          <div key={width} className="grid gap-2">
            <Skeleton className={`h-4 ${width}`} />
            <Skeleton className="h-8 w-full max-desk:h-11" />
          </div>
        ))}
      </div>
    </div>
  );
}

function useSettings() {
  const settings = useQuery({ queryKey: settingsKey, queryFn: ({ signal }) => loadSettings(signal) });
  const toast = useToast();
  const isFailed = settings.isLoadingError;
  useEffect(() => {
    if (isFailed) toast.show({ title: "Error", description: "Failed to load settings", variant: "destructive" });
  }, [isFailed, toast]);
  return settings;
}

function WithSettings({
  query,
  children,
}: {
  query: ReturnType<typeof useSettings>;
  children: (settings: SettingsResponse) => ReactNode;
}) {
  if (query.data) return children(query.data);
  if (query.isPending) return <TabSkeleton />;
  return (
    <div className="border-t border-line first:border-t-0">
      <ErrorState
        title="Failed to load settings"
        text="You can still open the other tabs, such as Account."
        isRetrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    </div>
  );
}
