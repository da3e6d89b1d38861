/** Uses API v3 with a key, else the public download address. */
import { z } from "zod";
import { ClipmillError } from "../../../errors.ts";
import type { SourceLink } from "../../link-host.ts";
import { baseUrlOf, type SourceAccess, type SourceFacts, type SourceHost } from "../../source-host.ts";
import { googleDriveLinks } from "./links.ts";
import { listFolder, listFolderEntries } from "./list-folder.ts";
import {
  apiHeaders,
  apiUrl,
  GOOGLE_API,
  GOOGLE_DOWNLOAD,
  openPublicly,
  openThroughApi,
  requestDrive,
} from "./open-file.ts";
import { explainApiRefusal, refusals } from "./refusals.ts";

const FACTS = "id,name,mimeType,size,md5Checksum,headRevisionId,capabilities/canDownload";

const metadataSchema = z.object({
  name: z.string(),
  mimeType: z.string(),
  size: z.string().regex(/^\d+$/).transform(Number).optional(),
  md5Checksum: z.string().optional(),
  headRevisionId: z.string().optional(),
  capabilities: z.object({ canDownload: z.boolean().optional() }).optional(),
});

export const googleDrive: SourceHost = {
  links: googleDriveLinks,
  services: [GOOGLE_API, GOOGLE_DOWNLOAD],
  describe,
  open: (link, access, { facts, range }) =>
    facts?.via === "api" ? openThroughApi(link, access, facts, range) : openPublicly(link, access, range),
  list: listFolder,
  listEntries: listFolderEntries,
};

/** The API returns 404 for unshared files too; the public download distinguishes them. */
async function describe(link: SourceLink, access: SourceAccess): Promise<SourceFacts> {
  return (await describeThroughApi(link, access)) ?? describePublicly(link, access);
}

/** The response to a one-byte request has name, size and version. */
async function describePublicly(link: SourceLink, access: SourceAccess): Promise<SourceFacts> {
  const { facts, answer } = await openPublicly(link, access, { start: 0, end: 0 });
  answer.body.destroy();
  return facts;
}

/** Returns null without a key and on 404. */
async function describeThroughApi(link: SourceLink, access: SourceAccess): Promise<SourceFacts | null> {
  if (access.googleDriveKey === null) return null;
  const url = apiUrl(link, access, { fields: FACTS });
  const answer = await requestDrive(url, access, baseUrlOf(access, GOOGLE_API), apiHeaders(link));
  const body = await answer.text();
  if (answer.status === 404) return null;
  if (answer.status !== 200) throw explainApiRefusal(answer.status, body, answer.retryAfterSeconds);
  const metadata = parseMetadata(body);
  const { name, mimeType, size, md5Checksum, headRevisionId } = metadata;
  if (size === undefined || mimeType === "text/html") throw refusals.notVideo({ mimeType });
  if (metadata.capabilities?.canDownload === false) throw refusals.downloadForbidden({ canDownload: false });
  return { name, mimeType, sizeBytes: size, revision: md5Checksum ?? headRevisionId ?? `size-${size}`, via: "api" };
}

function parseMetadata(body: string): z.output<typeof metadataSchema> {
  try {
    return metadataSchema.parse(JSON.parse(body));
  } catch {
    throw new ClipmillError("network", "Google Drive returned an unreadable response. Retry later.");
  }
}
