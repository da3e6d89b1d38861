import { useEffect, useRef, useState } from "react";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { Tabs } from "../../ui/page/tabs.tsx";
import { CloakHead } from "./cloak-head.tsx";
import { DomainsTab } from "./domains/domains-tab.tsx";
import { EnvironmentAlert } from "./publishing/environment-alert.tsx";
import { PendingSheet } from "./publishing/pending-sheet.tsx";
import { RoutesTab } from "./routes/routes-tab.tsx";
import { useAutoPublish } from "./publishing/use-auto-publish.ts";
import { useCloakAddress } from "./use-cloak-address.ts";
import { useCloakState, useDomains, useEnvironment } from "./use-cloak-data.ts";
import { usePublish } from "./publishing/use-publish.ts";
import { usePublishState } from "./publishing/publish-state.ts";
import { VersionsSheet } from "./publishing/versions-sheet.tsx";

export function CloakManagerPage() {
  const [address, changeAddress] = useCloakAddress();
  const domains = useDomains();
  const environment = useEnvironment();
  const state = useCloakState();
  const { publish, isPublishing } = usePublish();
  const { autoPublish } = usePublishState();
  const [sheet, setSheet] = useState<"pending" | "versions" | null>(null);
  useEffect(() => void loadDialogs(), []);
  const canPublish = environment.data?.isValid !== false && !isPublishing;
  useAutoPublish({
    isOn: autoPublish && environment.data?.isValid === true && !state.data?.isRolledBack,
    isBusy: isPublishing,
    pending: state.change,
    onPublish: () => publish({ isSilent: true }),
  });
  const routeCount = domains.data?.reduce((sum, { routes }) => sum + routes[0].count, 0);
  const publishButton = useRef<HTMLButtonElement>(null);
  const closeSheet = () => setSheet(null);
  return (
    <Pane>
      <CloakHead
        state={state}
        canPublish={canPublish}
        isPublishing={isPublishing}
        onPublish={() => publish()}
        publishButton={publishButton}
        onOpen={setSheet}
      />
      {environment.data?.isValid === false && (
        <EnvironmentAlert
          check={environment.data}
          isChecking={environment.isFetching}
          onCheck={() => void environment.refetch()}
        />
      )}
      <Tabs
        label="Cloak Manager"
        tabs={[
          { value: "domains", label: "Domains", count: domains.data?.length },
          { value: "routes", label: "Routes", count: routeCount },
        ]}
        value={address.tab}
        onChange={(tab) => changeAddress({ tab })}
      >
        {address.tab === "domains" ? (
          <DomainsTab
            domains={domains}
            onShowRoutes={(domainId) => changeAddress({ tab: "routes", domainId, search: "" })}
          />
        ) : (
          <RoutesTab domains={domains.data} state={state.data} address={address} onChange={changeAddress} />
        )}
      </Tabs>
      <PendingSheet
        state={state.data}
        isOpen={sheet === "pending"}
        canPublish={canPublish}
        isPublishing={isPublishing}
        returnFocusTo={() => publishButton.current}
        onPublish={() => publish()}
        onClose={closeSheet}
      />
      <VersionsSheet
        versions={state.data?.versions ?? []}
        isOpen={sheet === "versions"}
        canPublish={canPublish}
        onPublish={(version) => publish({ version })}
        onClose={closeSheet}
      />
    </Pane>
  );
}

/** Preloads the dialogs' code so that they open immediately, even offline. */
async function loadDialogs(): Promise<void> {
  const parts = [
    import("../../ui/dialogs/confirm-dialog-popup.tsx"),
    import("../../ui/dialogs/dialog-popup.tsx"),
    import("../../ui/dialogs/sheet-popup.tsx"),
  ];
  // On failure, each loads when opened.
  await Promise.allSettled(parts);
}
