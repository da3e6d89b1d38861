import type { Destination } from "#contract/destinations/destinations.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";

/** Returns what the removal of a destination breaks. */
export function describeLoss({ kind, used_by: users, used_by_total: total }: Destination): string {
  const kept = kind === "postiz" ? "Posts stay in Postiz." : "Delivered files stay where they are.";
  const [first] = users;
  if (!first) return `No unfinished job or preset uses it. ${kept}`;
  const who =
    total === 1
      ? `The ${first.type} "${first.name}" delivers`
      : `"${first.name}" and ${pluralize(total - 1, "other")} deliver`;
  return `${who} to it. Deliveries in progress are canceled, and those jobs will not be delivered here. ${kept}`;
}
