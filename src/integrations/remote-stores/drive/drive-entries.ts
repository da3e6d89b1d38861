import { z } from "zod";
import type { RemoteEntry } from "../remote-store.ts";

export const FOLDER_TYPE = "application/vnd.google-apps.folder";
const UNKNOWN_TYPE = "application/octet-stream";

/** Fields of developers.google.com/workspace/drive/api/reference/rest/v3/files, read 2026-11-23. */
export const ENTRY_FIELDS = "id,name,mimeType,size,modifiedTime,md5Checksum,sha256Checksum";

export const entrySchema = z.object({
  id: z.string(),
  name: z.string(),
  mimeType: z.string(),
  size: z.string().regex(/^\d+$/).transform(Number).optional(),
  modifiedTime: z.string().optional(),
  md5Checksum: z.string().optional(),
  sha256Checksum: z.string().optional(),
});
export const pageSchema = z.object({ nextPageToken: z.string().optional(), files: z.array(entrySchema).default([]) });
export const aboutSchema = z.object({ user: z.object({ emailAddress: z.string() }) });

/** Even with the longest names, a page stays below the response size limit. */
export const ENTRIES_PER_PAGE = "250";

export function toEntry(file: z.output<typeof entrySchema>): RemoteEntry {
  const { id, name, mimeType, size, modifiedTime, md5Checksum: md5, sha256Checksum: sha256 } = file;
  return {
    id,
    name,
    isFolder: mimeType === FOLDER_TYPE,
    sizeBytes: size ?? null,
    modifiedAt: modifiedTime ?? null,
    checksum: sha256 ? { algorithm: "sha256", value: sha256 } : md5 ? { algorithm: "md5", value: md5 } : null,
    isVideo: mimeType === UNKNOWN_TYPE ? null : mimeType.startsWith("video/"),
  };
}
