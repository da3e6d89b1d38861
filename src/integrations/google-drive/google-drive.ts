/** Fetches Google Drive files: through the API v3 with a key, from the public download address without one. */
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import {
  apiHeaders,
  apiUrl,
  type DriveFileFacts,
  type DriveLink,
  openPublicly,
  openThroughApi,
} from "./google-drive-open.ts";
import { explainApiRefusal, refusals } from "./google-drive-refusals.ts";
import { type DriveAccess, readText, requestDrive, retryAfterSecondsOf } from "./google-drive-request.ts";
import { saveOpenedFile, type SaveOptions } from "./google-drive-save.ts";

const MAX_DOWNLOAD_HOURS = 6;
const FACTS = "id,name,mimeType,size,md5Checksum,headRevisionId,capabilities/canDownload";

const metadataSchema = z.object({
  name: z.string(),
  mimeType: z.string(),
  size: z.string().regex(/^\d+$/).transform(Number).optional(),
  md5Checksum: z.string().optional(),
  headRevisionId: z.string().optional(),
  capabilities: z.object({ canDownload: z.boolean().optional() }).optional(),
});

/**
 * Downloads a file to `toPath` and resumes interrupted downloads. Throws ClipmillError: not_shared, source_not_found,
 * quota_exceeded, rate_limited (with retryAfterSeconds), not_a_video (a Google document, folder or page), too_large,
 * incomplete, network, no_space, bad_link, cancelled, and "bad_key" for a rejected key.
 */
export async function fetchDriveFile(link: DriveLink, request: DriveAccess & SaveOptions): Promise<DriveFileFacts> {
  const limit = AbortSignal.timeout(MAX_DOWNLOAD_HOURS * 3_600_000);
  const options = { ...request, signal: AbortSignal.any([request.signal, limit]) };
  const described = await describeDriveFile(link, options);
  if (described) {
    if (described.sizeBytes > options.maxBytes) throw refusals.tooLarge(options.maxBytes);
    const sizeBytes = await saveOpenedFile(await openThroughApi(link, options, described.sizeBytes), options);
    return { ...described, sizeBytes };
  }
  const opened = await openPublicly(link, options);
  return { ...opened.facts, sizeBytes: await saveOpenedFile(opened, options) };
}

/**
 * Returns a file's metadata without downloading it. Returns null without a key or on 404, which the API also returns
 * for unshared files; the public download tells these apart. Throws like fetchDriveFile.
 */
export async function describeDriveFile(link: DriveLink, access: DriveAccess): Promise<DriveFileFacts | null> {
  if (access.apiKey === null) return null;
  const answer = await requestDrive(
    apiUrl(link, access, { fields: FACTS }),
    access,
    access.apiBaseUrl,
    apiHeaders(link),
  );
  const body = await readText(answer, access);
  if (answer.status === 404) return null;
  if (answer.status !== 200) throw explainApiRefusal(answer.status, body, retryAfterSecondsOf(answer));
  const metadata = parseMetadata(body);
  const { name, mimeType, size, md5Checksum, headRevisionId } = metadata;
  if (size === undefined || mimeType === "text/html") throw refusals.notVideo({ mimeType });
  if (metadata.capabilities?.canDownload === false) throw refusals.downloadForbidden({ canDownload: false });
  return { name, mimeType, sizeBytes: size, revision: md5Checksum ?? headRevisionId ?? `size-${size}` };
}

function parseMetadata(body: string): z.output<typeof metadataSchema> {
  try {
    return metadataSchema.parse(JSON.parse(body));
  } catch {
    throw new ClipmillError("network", "Google Drive returned an unreadable response. Retry later.");
  }
}
