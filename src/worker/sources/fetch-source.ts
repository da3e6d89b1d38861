import { ClipmillError } from "#contract/errors.ts";
import { MAX_SUBTITLE_BYTES } from "#contract/library.ts";
import { type AcceptedSources, nameAcceptedVideo } from "#contract/sources/accepted-sources.ts";
import { instagramLinks } from "#contract/sources/hosts/instagram.ts";
import { siteVideoOf } from "#contract/sources/hosts/video-sites.ts";
import type { SourceLink } from "#contract/sources/link-host.ts";
import { parseAudioLink, parseLink, parseSubtitlesLink, parseVideoLink } from "#contract/sources/links.ts";
import { linkError } from "#contract/sources/link-error.ts";
import { cooldownHostOf } from "#contract/sources/cooldowns.ts";
import { isHttpHost } from "#contract/sources/source-hosts.ts";
import { fetchInstagramAudio } from "#integrations/yt-dlp/instagram.ts";
import { fetchSiteVideo } from "#integrations/yt-dlp/site-video.ts";
import type { MediaTools } from "#media/ffmpeg/tools.ts";
import { downloaderEnvironment } from "#media/launch/isolation.ts";
import type { HttpLink, LibrarySource } from "#operations/sources/source-reader.ts";
import type { Contact } from "#operations/hosts/contact-host.ts";
import type { CachedSource } from "./source-cache.ts";
import type { VideoWorker } from "../worker-context.ts";

export const MAX_VIDEO_BYTES = 8 * 1024 ** 3;
const MAX_TRACK_BYTES = 512 * 1024 ** 2;

const UNKNOWN_VERSION = "The version of this file is unknown, so it is not downloaded before its job starts.";

/** Without a job, files of unknown version are not fetched: no job could use them. */
type Fetching = { jobId: string | null; folder: string; signal: AbortSignal; contact: Contact };
type Fetcher = Pick<VideoWorker, "reader" | "sources"> & { tools: Pick<MediaTools, "ffmpeg"> };

/** `describeUnknown` is the message for a link of no known host. */
type LinkUse = { parse: typeof parseVideoLink; describeUnknown: (accepted: AcceptedSources) => string };

const AS_VIDEO: LinkUse = {
  parse: parseVideoLink,
  describeUnknown: (accepted) => `This is not a link to ${nameAcceptedVideo(accepted).one}.`,
};
const AS_TRACK: LinkUse = {
  parse: parseAudioLink,
  describeUnknown: () => "This is not a Google Drive or Instagram audio link.",
};

const AS_SUBTITLES: LinkUse = {
  parse: parseSubtitlesLink,
  describeUnknown: () => "This is not a link to a subtitle file.",
};

/** Throws ClipmillError with a message for the operator. */
export function fetchVideo(
  worker: Fetcher,
  link: string,
  fetching: Fetching & { maxBytes?: number },
): Promise<CachedSource> {
  return fetchFile(worker, link, AS_VIDEO, { maxBytes: MAX_VIDEO_BYTES, ...fetching });
}

export function fetchTrack(worker: Fetcher, link: string, fetching: Fetching): Promise<CachedSource> {
  return fetchFile(worker, link, AS_TRACK, { ...fetching, maxBytes: MAX_TRACK_BYTES });
}

export function fetchSubtitles(worker: Fetcher, link: string, fetching: Fetching): Promise<CachedSource> {
  return fetchFile(worker, link, AS_SUBTITLES, { ...fetching, maxBytes: MAX_SUBTITLE_BYTES });
}

/** Throws ClipmillError with a message for the operator. */
export async function fetchImage(
  { reader }: Pick<Fetcher, "reader">,
  link: string,
  name: string,
  fetching: Pick<Fetching, "contact">,
): Promise<string> {
  const file = parseLink(link);
  if (file?.host !== "library") throw new ClipmillError("bad_link", `${name} is not a library file.`);
  const found = await reader.findLibraryFile(file.id);
  if (!found) throw new ClipmillError("source_not_found", `${name} is no longer in the library.`);
  if (found.kind !== "image") throw new ClipmillError("not_an_image", `${name} is not an image.`);
  return await takeFromStorage(found, fetching);
}

async function fetchFile(
  worker: Fetcher,
  text: string,
  { parse, describeUnknown }: LinkUse,
  fetching: Fetching & { maxBytes: number },
): Promise<CachedSource> {
  const accepted = await worker.reader.readAccepted();
  const link = parse(text, accepted);
  if (!link) throw linkError(text, describeUnknown(accepted));
  const { host } = link;
  if (host === "library") return readLibraryFile(worker, link.id, fetching);
  return isHttpHost(host)
    ? fetchFromHost(worker, { ...link, host, text }, fetching)
    : fetchByYtDlp(worker, link, fetching);
}

async function readLibraryFile(
  { reader }: Pick<Fetcher, "reader">,
  id: string,
  fetching: Fetching,
): Promise<CachedSource> {
  const found = await reader.findLibraryFile(id);
  if (!found) throw new ClipmillError("source_not_found", "This file is no longer in the Clipmill library.");
  const path = await takeFromStorage(found, fetching);
  return { path, name: found.name, revision: `library:${id}`, ...(found.digest !== null && { digest: found.digest }) };
}

function takeFromStorage(
  file: LibrarySource,
  { contact, folder, signal }: Pick<Fetching, "contact"> & Partial<Fetching>,
): Promise<string> {
  return contact("storage", async (onResponse) => {
    const path = await file.toLocalFile({ folder, signal });
    onResponse();
    return path;
  });
}

/** These files have no version, so they are cached only within their job. */
async function fetchByYtDlp(
  worker: Fetcher,
  link: SourceLink,
  { jobId, folder, signal, contact, maxBytes }: Fetching & { maxBytes: number },
): Promise<CachedSource> {
  if (jobId === null) throw new ClipmillError("invalid", UNKNOWN_VERSION);
  const { ytDlpPath } = worker.reader;
  return await contact(cooldownHostOf(link)!, (onResponse) =>
    worker.sources.take(`${link.host}:${link.id}:${jobId}`, { folder, signal }, async (toPath, shared) => {
      const options = { ytDlpPath, environment: downloaderEnvironment(), toPath, maxBytes, signal: shared };
      const fetched =
        link.host === "instagram"
          ? await fetchInstagramAudio(instagramLinks.addressOf(link)!, options)
          : await fetchSiteVideo(siteVideoOf(link), { ...options, ffmpeg: worker.tools.ffmpeg });
      onResponse();
      return fetched;
    }),
  );
}

async function fetchFromHost(
  worker: Fetcher,
  link: HttpLink,
  { jobId, folder, signal, contact, maxBytes }: Fetching & { maxBytes: number },
): Promise<CachedSource> {
  const { reader } = worker;
  return contact(cooldownHostOf(link)!, async (onResponse) => {
    const facts = await reader.describe(link, signal);
    // Without a revision, the file is cached only within its job.
    if (!facts?.revision && jobId === null) throw new ClipmillError("invalid", UNKNOWN_VERSION);
    const identity = `${link.host}:${link.id}:${facts?.revision ? `revision ${facts.revision}` : `job ${jobId}`}`;
    const source = await worker.sources.take(identity, { folder, signal }, (toPath, shared) =>
      reader.save(link, { facts, maxBytes, signal: shared, toPath, onProgress: onResponse }),
    );
    // A cached file needs only this metadata.
    if (facts) onResponse();
    return source;
  });
}
