import { ClipmillError } from "#contract/errors.ts";
import { MAX_SUBTITLE_BYTES } from "#contract/library.ts";
import { type AcceptedSources, nameAcceptedVideo } from "#contract/sources/accepted-sources.ts";
import { instagramLinks } from "#contract/sources/hosts/instagram.ts";
import { siteVideoOf } from "#contract/sources/hosts/video-sites.ts";
import type { SourceLink } from "#contract/sources/link-host.ts";
import { parseAudioLink, parseLink, parseSubtitlesLink, parseVideoLink } from "#contract/sources/links.ts";
import { linkError } from "#contract/sources/link-error.ts";
import { cooldownHostOf } from "#contract/sources/cooldowns.ts";
import { type HttpHostName, isHttpHost, sourceHostOf } from "#contract/sources/source-hosts.ts";
import { fetchInstagramAudio } from "#integrations/yt-dlp/instagram.ts";
import { fetchSiteVideo } from "#integrations/yt-dlp/site-video.ts";
import { fetchSourceFile } from "#integrations/sources/save-source.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import type { MediaTools } from "#media/ffmpeg/tools.ts";
import { downloaderEnvironment } from "#media/launch/isolation.ts";
import { describeSource } from "#operations/sources/describe-source.ts";
import { readAcceptedSources, readSourceAccess } from "#operations/sources/prepare-sources.ts";
import type { Contact } from "../hosts/contact-host.ts";
import type { CachedSource } from "./source-cache.ts";
import type { WorkerContext } from "../worker-context.ts";

export const MAX_VIDEO_BYTES = 8 * 1024 ** 3;
const MAX_TRACK_BYTES = 512 * 1024 ** 2;

const UNKNOWN_VERSION = "The version of this file is unknown, so it is not downloaded before its job starts.";

/** Without a job, files of unknown version are not fetched: no job could use them. */
type Fetching = { jobId: string | null; folder: string; signal: AbortSignal; contact: Contact };
type Fetcher = Pick<WorkerContext, "context" | "sources"> & { tools: Pick<MediaTools, "ffmpeg"> };

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
  worker: Pick<Fetcher, "context">,
  link: string,
  name: string,
  fetching: Pick<Fetching, "contact">,
): Promise<string> {
  const file = parseLink(link);
  if (file?.host !== "library") throw new ClipmillError("bad_link", `${name} is not a library file.`);
  const { db } = worker.context;
  const row = await db.selectFrom("library_files").select("kind").where("id", "=", file.id).executeTakeFirst();
  if (row && row.kind !== "image") throw new ClipmillError("not_an_image", `${name} is not an image.`);
  return (await readLibraryFile(worker, file.id, fetching, `${name} is no longer in the library.`)).path;
}

async function fetchFile(
  worker: Fetcher,
  text: string,
  { parse, describeUnknown }: LinkUse,
  fetching: Fetching & { maxBytes: number },
): Promise<CachedSource> {
  const accepted = await readAcceptedSources(worker.context);
  const link = parse(text, accepted);
  if (!link) throw linkError(text, describeUnknown(accepted));
  const { host } = link;
  if (host === "library") return readLibraryFile(worker, link.id, fetching);
  return isHttpHost(host) ? fetchFromHost(worker, link, host, fetching) : fetchByYtDlp(worker, link, fetching);
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
  const path = await contact("storage", async (onResponse) => {
    const file = await storage.toLocalFile(row.storage_key);
    onResponse();
    return file;
  });
  return { path, name: row.name, revision: `library:${id}`, ...(row.digest !== null && { digest: row.digest }) };
}

/** These files have no version, so they are cached only within their job. */
async function fetchByYtDlp(
  worker: Fetcher,
  link: SourceLink,
  { jobId, folder, signal, contact, maxBytes }: Fetching & { maxBytes: number },
): Promise<CachedSource> {
  if (jobId === null) throw new ClipmillError("invalid", UNKNOWN_VERSION);
  const { ytDlpPath } = worker.context.hosts;
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
  link: SourceLink,
  name: HttpHostName,
  { jobId, folder, signal, contact, maxBytes }: Fetching & { maxBytes: number },
): Promise<CachedSource> {
  const host = sourceHostOf(name);
  const access = await readSourceAccess(worker.context);
  return contact(cooldownHostOf(link)!, async (onResponse) => {
    const get = createSourceGet({ signal });
    const facts = await describeSource(worker.context.sourceFacts, host, link, { ...access, get });
    // Without a revision, the file is cached only within its job.
    if (!facts?.revision && jobId === null) throw new ClipmillError("invalid", UNKNOWN_VERSION);
    const identity = `${name}:${link.id}:${facts?.revision ? `revision ${facts.revision}` : `job ${jobId}`}`;
    const source = await worker.sources.take(identity, { folder, signal }, (toPath, shared) =>
      fetchSourceFile(host, link, { access, facts, maxBytes, signal: shared, toPath, onProgress: onResponse }),
    );
    // A cached file needs only this metadata.
    if (facts) onResponse();
    return source;
  });
}
