import type { Destination } from "#contract/destinations/destinations.ts";
import { deleteDestination, testSavedDestination } from "../../../api/functions/settings/destinations.ts";
import { describePlace } from "../../../destinations/describe-place.ts";
import DestinationSheet from "../../../destinations/destination-sheet.tsx";
import { useDestinationList, useDestinations } from "../../../destinations/use-destinations.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { SavedSection } from "./saved-section.tsx";

export function DestinationsSection() {
  return (
    <SavedSection
      noun="destination"
      text="Where finished files are delivered. To use a destination, select it in a job's Advanced Options."
      emptyText="Add one to have the files of completed jobs delivered to a folder or bucket."
      query={useDestinations()}
      list={useDestinationList()}
      Sheet={DestinationSheet}
      warningOf={({ kind, connection_id: connection }) =>
        kind !== "folder" && connection === null
          ? "The connection of this destination was removed. Edit the destination and choose another one."
          : null
      }
      test={testSavedDestination}
      remove={deleteDestination}
      {...{ factsOf, describeLoss }}
    />
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
