import type { Selectable } from "kysely";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import type { JobOutputsTable } from "#database/tables.ts";
import { OUTPUT_ROUTE, type RouteAddress, toLink } from "../links/make-links.ts";
import { HAS_SUBTITLES } from "../videos/output-subtitles.ts";
import type { LinkSigner } from "../../downloads/link-signer.ts";
import type { ColumnSources, ColumnType } from "../../select-columns.ts";

export const OUTPUT_COLUMNS = {
  id: "uuid",
  job_id: "uuid",
  video_id: "uuid",
  variant: "integer",
  segment: "integer",
  name: "text",
  status: "text",
  progress: "number",
  caption: "text",
  track: "text",
  start_seconds: "number",
  end_seconds: "number",
  duration_seconds: "number",
  width: "integer",
  height: "integer",
  size_bytes: "number",
  sha256: "text",
  error_message: "text",
  error_code: "text",
  error_step: "text",
  error_tail: "text",
  warnings: "list",
  conformance: "computed",
  verdict: "text",
  reason: "text",
  reviewed_at: "time",
  link: "computed",
  media_url: "computed",
  thumbnail_url: "computed",
  cover_url: "computed",
  subtitles_url: "computed",
  updated_at: "time",
  created_at: "time",
} as const satisfies Record<string, ColumnType>;

export const OUTPUTS: ColumnSources = {
  expressions: { route: OUTPUT_ROUTE, has_subtitles: HAS_SUBTITLES },
  parts: {
    conformance: ["conformance"],
    link: ["route"],
    media_url: ["id", "storage_key"],
    thumbnail_url: ["id", "thumbnail_key"],
    cover_url: ["id", "cover"],
    subtitles_url: ["id", "has_subtitles"],
  },
};

/** `route` is OUTPUT_ROUTE, `has_subtitles` HAS_SUBTITLES. */
type SelectedOutput = Selectable<JobOutputsTable> & { route: RouteAddress | null; has_subtitles: boolean };

export function toOutput(row: SelectedOutput, links: LinkSigner): JobOutput {
  const {
    storage_key: storageKey,
    thumbnail_key: thumbnailKey,
    cover,
    crc32: _crc32,
    content_key: _contentKey,
    name_key: _nameKey,
    track_link: _trackLink,
    route,
    has_subtitles: hasSubtitles,
    ...output
  } = row;
  return {
    ...output,
    link: toLink(route),
    media_url: storageKey ? links.sign(`/downloads/outputs/${row.id}`) : null,
    thumbnail_url: thumbnailKey ? links.sign(`/downloads/thumbnails/${row.id}`) : null,
    cover_url: cover ? links.sign(`/downloads/covers/${row.id}`) : null,
    subtitles_url: hasSubtitles ? links.sign(`/downloads/subtitles/${row.id}`) : null,
  };
}
