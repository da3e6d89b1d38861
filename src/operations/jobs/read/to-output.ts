import type { Selectable } from "kysely";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import type { JobOutputsTable } from "#database/tables.ts";
import { type RouteAddress, toLink } from "../links/output-link.ts";
import type { LinkSigner } from "../../downloads/link-signer.ts";

/** `route` is OUTPUT_ROUTE. */
type SelectedOutput = Selectable<JobOutputsTable> & { route: RouteAddress | null };

export function toOutput(row: SelectedOutput, links: LinkSigner): JobOutput {
  const {
    storage_key: storageKey,
    thumbnail_key: thumbnailKey,
    crc32: _crc32,
    content_key: _contentKey,
    name_key: _nameKey,
    track_link: _trackLink,
    route,
    ...output
  } = row;
  return {
    ...output,
    link: toLink(route),
    media_url: storageKey ? links.sign(`/downloads/outputs/${row.id}`) : null,
    thumbnail_url: thumbnailKey ? links.sign(`/downloads/thumbnails/${row.id}`) : null,
  };
}
