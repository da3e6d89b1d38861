import { ClipmillError } from "#contract/errors.ts";
import type { SourceLink } from "#contract/sources/link-host.ts";
import { parseVideoLink } from "#contract/sources/links.ts";
import { type HttpHostName, isHttpHost, sourceHostOf } from "#contract/sources/source-hosts.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import type { ByteRange } from "#storage/storage.ts";
import type { Context } from "../context.ts";
import { readAcceptedSources, readSourceAccess } from "../sources/prepare-sources.ts";
import { describeSource } from "../sources/describe-source.ts";
import type { Download } from "./link-signer.ts";
import { mediaType, openLibraryFile } from "./open-stored.ts";

type SourceContext = Pick<Context, "db" | "storage" | "secrets" | "hosts" | "sourceFacts">;

const SEVERAL_SOURCES = "This video is made of several clips, so it has no single source.";
const NOT_PLAYABLE = "This source can't be played from its host.";

/**
 * Reads from the source's host on demand. Throws ClipmillError "not_found", "conflict" for an assembled video or a host
 * that cannot be read in parts, and the host's errors.
 */
export async function openSource(context: SourceContext, videoId: string): Promise<Download> {
  const video = await context.db
    .selectFrom("job_videos")
    .select(["link", "clips"])
    .where("id", "=", videoId)
    .executeTakeFirst();
  if (!video) throw new ClipmillError("not_found", "This video no longer exists.");
  if (video.clips !== null) throw new ClipmillError("conflict", SEVERAL_SOURCES);
  return openLink(context, videoId, video.link);
}

/** Like `openSource`, of the source that a transcript was made from. */
export async function openTranscribed(context: SourceContext, transcriptId: string): Promise<Download> {
  const found = await context.db
    .selectFrom("transcripts")
    .select("link")
    .where("id", "=", transcriptId)
    .executeTakeFirst();
  if (!found) throw new ClipmillError("not_found", "This transcript no longer exists.");
  return openLink(context, transcriptId, found.link);
}

async function openLink(context: SourceContext, id: string, text: string): Promise<Download> {
  const link = parseVideoLink(text, await readAcceptedSources(context));
  if (link?.host === "library") return openLibraryFile(context, link.id);
  if (!link || !isHttpHost(link.host)) throw new ClipmillError("conflict", NOT_PLAYABLE);
  return openAtHost(context, id, { ...link, host: link.host });
}

type HostLink = SourceLink & { host: HttpHostName };

async function openAtHost(context: SourceContext, id: string, link: HostLink): Promise<Download> {
  const host = sourceHostOf(link.host);
  const access = await readSourceAccess(context);
  const describing = { ...access, get: createSourceGet({ signal: AbortSignal.timeout(30_000) }) };
  const facts = await describeSource(context.sourceFacts, host, link, describing);
  if (!facts?.sizeBytes) throw new ClipmillError("conflict", NOT_PLAYABLE);
  return {
    fileName: facts.name,
    type: mediaType({ name: facts.name, kind: "video" }),
    sizeBytes: facts.sizeBytes,
    etag: `"${id}-${facts.sizeBytes.toString(16)}"`,
    storageKey: null,
    async *read(range) {
      const stop = new AbortController();
      const get = createSourceGet({ signal: stop.signal });
      try {
        const { response } = await host.open(link, { ...access, get }, { facts, range });
        // Hosts without ranges send the whole file.
        yield* cut(response.body, response.status === 206 ? 0 : range.start, range.end - range.start + 1);
      } finally {
        stop.abort();
      }
    },
  };
}

async function* cut(
  pieces: AsyncIterable<Uint8Array>,
  skip: number,
  length: ByteRange["end"],
): AsyncGenerator<Uint8Array> {
  let toSkip = skip;
  let left = length;
  for await (const piece of pieces) {
    const wanted = piece.subarray(Math.min(toSkip, piece.length)).subarray(0, left);
    toSkip -= Math.min(toSkip, piece.length);
    left -= wanted.length;
    if (wanted.length > 0) yield wanted;
    if (left === 0) return;
  }
}
