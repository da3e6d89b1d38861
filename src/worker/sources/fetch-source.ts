import { ClipmillError } from "#contract/errors.ts";
import { type AudioLink, type FileLink, parseAudioLink, parseVideoLink } from "#contract/sources/links.ts";
import { describeDriveFile, fetchDriveFile } from "#integrations/google-drive/google-drive.ts";
import { fetchInstagramAudio } from "#integrations/instagram/instagram.ts";
import { downloaderEnvironment } from "#media/launch/environment.ts";
import { readGoogleDriveKey } from "#operations/settings/google-drive-key.ts";
import type { Contact } from "../hosts/contact-host.ts";
import type { CachedSource } from "./source-cache.ts";
import type { WorkerContext } from "../worker-context.ts";

const MAX_VIDEO_BYTES = 8 * 1024 ** 3;
const MAX_TRACK_BYTES = 512 * 1024 ** 2;

type Fetching = { jobId: string; folder: string; signal: AbortSignal; contact: Contact };
type Fetcher = Pick<WorkerContext, "context" | "sources" | "outside">;

/** Fetches a video. Throws ClipmillError with a sentence for the operator. */
export function fetchVideo(
  worker: Fetcher,
  link: string,
  fetching: Fetching & { maxBytes?: number },
): Promise<CachedSource> {
  const parsed = parseVideoLink(link);
  if (!parsed) throw new ClipmillError("bad_link", "This is not a link to a Google Drive file.");
  return fetchFile(worker, parsed, { maxBytes: MAX_VIDEO_BYTES, ...fetching });
}

/** Fetches a music file. Throws ClipmillError with a sentence for the operator. */
export function fetchTrack(worker: Fetcher, link: string, fetching: Fetching): Promise<CachedSource> {
  const parsed: AudioLink | null = parseAudioLink(link);
  if (!parsed) throw new ClipmillError("bad_link", "This is not a Google Drive or Instagram audio link.");
  if (parsed.host !== "instagram") return fetchFile(worker, parsed, { ...fetching, maxBytes: MAX_TRACK_BYTES });
  return fetching.contact("instagram", (onAnswer) =>
    worker.sources.take(`instagram:${parsed.url}:${fetching.jobId}`, fetching, async (toPath, signal) => {
      const options = {
        ytDlpPath: worker.outside.ytDlpPath,
        environment: downloaderEnvironment(),
        toPath,
        maxBytes: MAX_TRACK_BYTES,
        signal,
      };
      const fetched = await fetchInstagramAudio(parsed.url, options);
      onAnswer();
      return fetched;
    }),
  );
}

/** Returns the path of a watermark's image. Throws ClipmillError with a sentence for the operator. */
export async function fetchWatermarkImage(
  worker: Pick<Fetcher, "context">,
  link: string,
  fetching: Pick<Fetching, "contact">,
): Promise<string> {
  const file = parseVideoLink(link);
  if (file?.host !== "library") throw new ClipmillError("bad_link", "The watermark image is not a library file.");
  const { db } = worker.context;
  const row = await db.selectFrom("library_files").select("kind").where("id", "=", file.id).executeTakeFirst();
  if (row && row.kind !== "image") throw new ClipmillError("not_an_image", "The watermark image is not an image.");
  return (await readLibraryFile(worker, file.id, fetching, "The watermark image is no longer in the library.")).path;
}

function fetchFile(worker: Fetcher, link: FileLink, fetching: Fetching & { maxBytes: number }): Promise<CachedSource> {
  return link.host === "library" ? readLibraryFile(worker, link.id, fetching) : fetchFromDrive(worker, link, fetching);
}

async function readLibraryFile(
  worker: Pick<Fetcher, "context">,
  id: string,
  { contact }: Pick<Fetching, "contact">,
  goneSentence = "This file is no longer in the Clipmill library.",
): Promise<CachedSource> {
  const { db, storage } = worker.context;
  const row = await db.selectFrom("library_files").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) throw new ClipmillError("source_not_found", goneSentence);
  const path = await contact("storage", async (onAnswer) => {
    const file = await storage.toLocalFile(row.storage_key);
    onAnswer();
    return file;
  });
  return { path, name: row.name, revision: `library:${id}` };
}

async function fetchFromDrive(
  worker: Fetcher,
  link: FileLink,
  { jobId, folder, signal, contact, maxBytes }: Fetching & { maxBytes: number },
): Promise<CachedSource> {
  const options = {
    apiKey: await readGoogleDriveKey(worker.context),
    apiBaseUrl: worker.outside.googleApiBaseUrl,
    downloadBaseUrl: worker.outside.googleDownloadBaseUrl,
    maxBytes,
    signal,
  };
  return contact("google-drive", async (onAnswer) => {
    // Without a key the revision is unknown, so the file is cached only within its job.
    const known = await describeDriveFile(link, options);
    const identity = `google-drive:${link.id}:${known ? `revision ${known.revision}` : `job ${jobId}`}`;
    const source = await worker.sources.take(identity, { folder, signal }, (toPath, shared) =>
      fetchDriveFile(link, { ...options, signal: shared, toPath, onProgress: onAnswer }),
    );
    // A cached file needs only this metadata.
    if (known) onAnswer();
    return source;
  });
}
