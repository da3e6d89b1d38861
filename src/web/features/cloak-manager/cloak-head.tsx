import { CloudUpload, History, TriangleAlert } from "lucide-react";
import type { Ref } from "react";
import { formatWholeDate } from "../../jobs/time/short-date.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { useNow } from "../../jobs/time/seconds-clock.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { StatusBadge } from "../../ui/states/status-badge.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { tooltip } from "../../ui/page/tooltip.ts";
import { describeLastPublished } from "./publishing/last-published.ts";
import { rememberPublishState, usePublishState } from "./publishing/publish-state.ts";
import type { useCloakState } from "./use-cloak-data.ts";

type CloakHeadProps = {
  state: Pick<ReturnType<typeof useCloakState>, "data" | "isError" | "isFetching" | "refetch">;
  canPublish: boolean;
  isPublishing: boolean;
  publishButton: Ref<HTMLButtonElement>;
  onPublish: () => void;
  onOpen: (sheet: "pending" | "versions") => void;
};

export function CloakHead({ state, canPublish, isPublishing, publishButton, onPublish, onOpen }: CloakHeadProps) {
  const { autoPublish, pendingChangeCount } = usePublishState();
  return (
    <div className="flex min-h-[72px] items-center gap-2 px-6 py-4 max-desk:flex-wrap max-desk:gap-3 max-desk:px-4">
      <div className="min-w-0 flex-1 max-desk:basis-full">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 className="text-20">Cloak Manager</h1>
          {pendingChangeCount > 0 && (
            <button
              type="button"
              className="rounded-2 transition-opacity hover:opacity-80 max-desk:py-2"
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
