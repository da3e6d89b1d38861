import { Plus } from "lucide-react";
import { useState } from "react";
import type { Destination } from "#contract/destinations/destinations.ts";
import { useDestinations } from "../../../destinations/use-destinations.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { Skeleton } from "../../../ui/states/skeleton.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { DestinationRow } from "./destination-row.tsx";
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
