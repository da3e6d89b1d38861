import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Destination, TestDestinationResponse } from "#contract/destinations/destinations.ts";
import { deleteDestination, testSavedDestination } from "../../../api/functions/settings/destinations.ts";
import { describePlace } from "../../../destinations/describe-place.ts";
import { useDestinationList, useDestinations } from "../../../destinations/use-destinations.ts";
import { MetaLine } from "../../../jobs/row/job-row.tsx";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { Skeleton } from "../../../ui/states/skeleton.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { runTest, TestResult } from "../connections/test-result.tsx";
import { RemoveDialog } from "../remove-dialog.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { DestinationSheet } from "./destination-sheet.tsx";

export function DestinationsSection() {
  const destinations = useDestinations();
  const [opened, setOpened] = useState<Destination | "new" | null>(null);
  const list = destinations.data?.data;
  const add = (
    <Button icon={Plus} onClick={() => setOpened("new")}>
      Add destination
    </Button>
  );
  return (
    <SettingsSection
      title="Destinations"
      text="Where finished files are delivered. To use a destination, select it in a job's Advanced Options."
    >
      {destinations.isPending && (
        <div aria-busy className="grid gap-2">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-4 w-72 max-w-full" />
        </div>
      )}
      {destinations.isLoadingError && (
        <ErrorState
          title="Couldn't load the destinations"
          text={destinations.error.message}
          isRetrying={destinations.isFetching}
          onRetry={() => void destinations.refetch()}
        />
      )}
      {list?.length === 0 && (
        <EmptyState
          title="No destinations"
          text="Add one to have the files of completed jobs delivered to a folder or bucket."
          action={add}
        />
      )}
      {list && list.length > 0 && (
        <>
          <ul aria-label="Destinations" className="grid min-w-0">
            {list.map((destination) => (
              <DestinationRow key={destination.id} destination={destination} onEdit={() => setOpened(destination)} />
            ))}
          </ul>
          <div>{add}</div>
        </>
      )}
      <DestinationSheet opened={opened} destinations={destinations.data} onClose={() => setOpened(null)} />
    </SettingsSection>
  );
}

function DestinationRow({ destination, onEdit }: { destination: Destination; onEdit: () => void }) {
  const { id, name, version, kind, connection_id: connection } = destination;
  const { isBusy, run } = useExclusiveAction();
  const list = useDestinationList();
  const [result, setResult] = useState<(TestDestinationResponse & { of: number }) | null>(null);
  const [isAsking, setIsAsking] = useState(false);

  async function test() {
    setResult(null);
    setResult({ ...(await runTest(() => testSavedDestination(id))), of: version });
  }
  function askToRemove() {
    setIsAsking(true);
    // Jobs may have started since.
    void list.refetch();
  }
  return (
    <li className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2 border-t border-line py-3 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-52">
          <h3 className="font-medium wrap-anywhere text-ink">{name}</h3>
          <MetaLine parts={factsOf(destination)} />
        </div>
        <div className="flex items-center gap-1">
          <Button size="sm" isBusy={isBusy} aria-label={`Test ${name}`} onClick={() => void run(test)}>
            Test
          </Button>
          <IconButton icon={Pencil} label={`Edit ${name}`} onClick={onEdit} />
          <IconButton icon={Trash2} label={`Remove ${name}`} onClick={askToRemove} />
        </div>
      </div>
      {kind !== "folder" && connection === null && (
        <WarningNote text="The connection of this destination was removed. Edit the destination and choose another one." />
      )}
      {/* Hides the result of older fields. */}
      <TestResult result={result?.of === version ? result : null} />
      <RemoveDialog
        noun="destination"
        item={destination}
        loss={describeLoss(destination)}
        onRemove={deleteDestination}
        list={list}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
      />
    </li>
  );
}

function factsOf(destination: Destination) {
  const { kind, enabled, with_manifest: hasManifest, used_by: users, used_by_total: total } = destination;
  return [
    <span key="place" className="raw wrap-anywhere normal-nums">
      {describePlace(destination)}
    </span>,
    !enabled && "Turned off",
    kind !== "postiz" && !hasManifest && "Without manifest",
    total > 0 && (
      <span key="users" {...tooltip(users.map((user) => user.name).join(", "))}>
        Used by {pluralize(total, "job or preset", "jobs and presets")}
      </span>
    ),
  ].filter((fact) => fact !== false);
}

function describeLoss({ kind, used_by: users, used_by_total: total }: Destination): string {
  const kept = kind === "postiz" ? "Posts stay in Postiz." : "Delivered files stay where they are.";
  const [first] = users;
  if (!first) return `No unfinished job or preset uses it. ${kept}`;
  const who =
    total === 1
      ? `The ${first.type} "${first.name}" delivers`
      : `"${first.name}" and ${pluralize(total - 1, "other")} deliver`;
  return `${who} to it. Deliveries in progress are canceled, and those jobs will not be delivered here. ${kept}`;
}
