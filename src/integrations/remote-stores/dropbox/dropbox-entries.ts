import { z } from "zod";
import type { RemoteEntry } from "../remote-store.ts";

/** Metadata of www.dropbox.com/developers/documentation/http/documentation#files-list_folder, read 2026-11-23. */
export const entrySchema = z.object({
  ".tag": z.string(),
  id: z.string().optional(),
  name: z.string(),
  size: z.number().optional(),
  server_modified: z.string().optional(),
  content_hash: z.string().optional(),
});
export const pageSchema = z.object({ entries: z.array(entrySchema), cursor: z.string(), has_more: z.boolean() });
export const metadataSchema = z.object({ metadata: z.unknown() });
export const sessionSchema = z.object({ session_id: z.string() });
export const accountSchema = z.object({ name: z.object({ display_name: z.string() }), email: z.string() });

/** Even with the longest names, a page stays below the response size limit. */
export const ENTRIES_PER_PAGE = 250;

export function toEntry(entry: z.output<typeof entrySchema>): RemoteEntry {
  const { id = "", name, size, server_modified: modifiedAt, content_hash: hash } = entry;
  return {
    id,
    name,
    isFolder: entry[".tag"] === "folder",
    sizeBytes: size ?? null,
    modifiedAt: modifiedAt ?? null,
    checksum: hash === undefined ? null : { algorithm: "dropbox", value: hash },
    isVideo: null,
  };
}
