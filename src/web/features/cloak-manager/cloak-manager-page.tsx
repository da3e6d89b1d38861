import { CloudUpload, History, TriangleAlert } from "lucide-react";
import { type Ref, useEffect, useRef, useState } from "react";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { useNow } from "../../jobs/time/elapsed.ts";
import { formatWholeDate } from "../../jobs/time/short-date.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { Tabs } from "../../ui/page/tabs.tsx";
import { tooltip } from "../../ui/page/tooltip.ts";
import { StatusBadge } from "../../ui/states/status-badge.tsx";
import { DomainsTab } from "./domains/domains-tab.tsx";
import { EnvironmentAlert } from "./publishing/environment-alert.tsx";
import { describeLastPublished } from "./publishing/last-published.ts";
import { PendingSheet } from "./publishing/pending-sheet.tsx";
import { rememberPublishState, usePublishState } from "./publishing/publish-state.ts";
import { useAutoPublish } from "./publishing/use-auto-publish.ts";
import { usePublish } from "./publishing/use-publish.ts";
import { VersionsSheet } from "./publishing/versions-sheet.tsx";
import { RoutesTab } from "./routes/routes-tab.tsx";
import { useCloakAddress } from "./use-cloak-address.ts";
import { useCloakState, useDomains, useEnvironment } from "./use-cloak-data.ts";

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

type CloakHeadProps = {
  state: Pick<ReturnType<typeof useCloakState>, "data" | "isError" | "isFetching" | "refetch">;
  canPublish: boolean;
  isPublishing: boolean;
  publishButton: Ref<HTMLButtonElement>;
  onPublish: () => void;
  onOpen: (sheet: "pending" | "versions") => void;
};

function CloakHead({ state, canPublish, isPublishing, publishButton, onPublish, onOpen }: CloakHeadProps) {
  const { autoPublish, pendingChangeCount } = usePublishState();
  return (
    <div className="flex min-h-[72px] items-center gap-2 px-6 py-4 max-desk:flex-wrap max-desk:gap-3 max-desk:px-4">
      <div className="min-w-0 flex-1 max-desk:basis-full">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 className="text-20">Cloak Manager</h1>
          {pendingChangeCount > 0 && (
            <button
              type="button"
              className="rounded-2 transition-opacity hover:opacity-80 max-desk:min-h-11"
              {...tooltip("View pending changes")}
              onClick={() => onOpen("pending")}
            >
              <StatusBadge
                tone="warning"
                icon={TriangleAlert}
                label={pluralize(pendingChangeCount, "pending change")}
                isInline
              />
            </button>
          )}
        </div>
        <LastPublished state={state} />
      </div>
      <Switch
        label="Auto-publish"
        checked={autoPublish}
        onChange={(event) => rememberPublishState({ autoPublish: event.target.checked })}
      />
      <IconButton icon={History} label="Published versions" className="ml-2" onClick={() => onOpen("versions")} />
      <Button
        ref={publishButton}
        look={pendingChangeCount > 0 ? "primary" : "neutral"}
        icon={CloudUpload}
        disabled={!canPublish && !isPublishing}
        isBusy={isPublishing}
        className="max-desk:ml-auto"
        onClick={onPublish}
      >
        Publish Config
      </Button>
    </div>
  );
}

function LastPublished({ state }: Pick<CloakHeadProps, "state">) {
  const { lastPublishedAt } = usePublishState();
  const nowMs = useNow(lastPublishedAt !== null);
  if (state.isError && !state.data) {
    return (
      <p className="flex items-center gap-2 text-ink-3">
        Couldn't read the published version.
        <Button size="sm" look="quiet" isBusy={state.isFetching} onClick={() => void state.refetch()}>
          Try again
        </Button>
      </p>
    );
  }
  return (
    <p className="tnum text-ink-3">
      Last published{" "}
      <span className="text-ink-2" {...tooltip(lastPublishedAt ? formatWholeDate(lastPublishedAt) : undefined)}>
        {describeLastPublished(lastPublishedAt, nowMs)}
      </span>
    </p>
  );
}
