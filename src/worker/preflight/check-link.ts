import type { FileHandle } from "node:fs/promises";
import { ClipmillError } from "#contract/errors.ts";
import { siteVideoOf } from "#contract/sources/hosts/video-sites.ts";
import type { SourceLink } from "#contract/sources/link-host.ts";
import { linkHostOf } from "#contract/sources/link-hosts.ts";
import { startOf, totalBytesOf } from "#contract/sources/ranges.ts";
import type { OpenedSource, SourceFacts } from "#contract/sources/source-host.ts";
import { type HttpHostName, isHttpHost, sourceHostOf } from "#contract/sources/source-hosts.ts";
import { createSourceGet, incomplete, receiveRange } from "#integrations/sources/source-http.ts";
import { type ExcerptSource, HEAD_BYTES } from "#media/excerpt/take-excerpt.ts";
import { describeSource } from "#operations/sources/describe-source.ts";
import { readSourceAccess } from "#operations/sources/prepare-sources.ts";
import type { Storage } from "#storage/storage.ts";
import { checkSiteVideo } from "./check-site-video.ts";
import { type CheckedFile, type Checker, describeFile, findSizeProblem } from "./describe-file.ts";
import { type CheckedLink, keyOfCheck } from "./key-of-check.ts";
import type { CheckRun } from "./link-checks.ts";

/** An operator is waiting, so a longer stall counts as a problem. */
const STALL_SECONDS = 8;
/** Slower files are left to the job. */
const MAX_TRANSFER_MS = 20_000;

/** Throws ClipmillError for a link without a usable file, and "cancelled". */
export async function checkLink(checker: Checker, link: CheckedLink, run: CheckRun): Promise<CheckedFile> {
  const { host } = link;
  if (link.isFolder) return await listFolder(checker, link, run);
  if (host === "library") return await checkLibraryFile(checker, link, run);
  if (host === "instagram") throw new ClipmillError("bad_link", "Instagram links can only be used as music.");
  if (isHttpHost(host)) return await checkHostFile(checker, { ...link, host }, run);
  return await checkSiteVideo(checker, siteVideoOf(link), run);
}

async function checkHostFile(
  checker: Checker,
  link: CheckedLink & { host: HttpHostName },
  run: CheckRun,
): Promise<CheckedFile> {
  const host = sourceHostOf(link.host);
  const access = await readSourceAccess(checker.context);
  using places = new DisposableStack();
  let opened: OpenedSource | null = null;
  try {
    const get = createSourceGet({ signal: run.signal, stallSeconds: STALL_SECONDS });
    const described = await atHost(run, () =>
      describeSource(checker.context.sourceFacts, host, link, { ...access, get }),
    );
    const known = described && findKnown(checker, link, described);
    if (known) return known;
    places.defer(await checker.excerpts.take(1, run.signal));
    const place = places.use(await run.enterHost("bytes"));
    const limit = AbortSignal.timeout(MAX_TRANSFER_MS);
    const signal = AbortSignal.any([run.signal, limit]);
    const getExcerpt = createSourceGet({ signal, stallSeconds: STALL_SECONDS });
    const range = { start: 0, end: HEAD_BYTES - 1 };
    opened = await host.open(link, { ...access, get: getExcerpt }, { facts: described, range });
    const { name, revision } = opened.facts;
    const file = { name, key: keyOfContent(link, revision), source: excerptOf(link, opened, signal) };
    return await describeFile(checker, file, { signal: run.signal, limit, place });
  } catch (error) {
    throw isOfEmptyFile(error) ? findSizeProblem(0) : error;
  } finally {
    opened?.response.body.destroy();
  }
}

async function listFolder(checker: Checker, link: CheckedLink, run: CheckRun): Promise<CheckedFile> {
  const { host } = link;
  const source = isHttpHost(host) ? sourceHostOf(host) : null;
  if (!source?.list) throw new ClipmillError("bad_link", "This is a folder. Add links to its files instead.");
  const get = createSourceGet({ signal: run.signal, stallSeconds: STALL_SECONDS });
  const access = await readSourceAccess(checker.context);
  const files = await atHost(run, () => source.list!(link, { ...access, get }));
  return { name: null, sizeBytes: null, video: null, problem: null, files };
}

async function checkLibraryFile(checker: Checker, link: CheckedLink, run: CheckRun): Promise<CheckedFile> {
  const { db, storage } = checker.context;
  const row = await db
    .selectFrom("library_files")
    .leftJoin("library_thumbnails", "file_id", "id")
    .select(["name", "storage_key", "size_bytes", "duration_seconds", "picture"])
    .where("id", "=", link.id)
    .where("stored_at", "is not", null)
    .executeTakeFirst();
  if (!row) throw new ClipmillError("source_not_found", "This file is no longer in the Clipmill library.");
  using places = new DisposableStack();
  places.defer(await checker.excerpts.take(1, run.signal));
  const place = places.use(await run.enterHost("bytes"));
  const source = excerptOfStored(storage, row.storage_key, row.size_bytes);
  // Library files never change.
  const file = { name: row.name, key: keyOfContent(link, "stored"), source };
  const { video, ...checked } = await describeFile(checker, file, { signal: run.signal, limit: run.signal, place });
  const thumbnail = row.picture ? Buffer.from(row.picture) : (video?.thumbnail ?? null);
  return { ...checked, video: video && { ...video, durationSeconds: row.duration_seconds, thumbnail } };
}

async function atHost<Result>(run: CheckRun, ask: () => Promise<Result>): Promise<Result> {
  using places = new DisposableStack();
  places.use(await run.enterHost("metadata"));
  return await ask();
}

/** Returns null if the file itself must be read. */
function findKnown(checker: Checker, link: CheckedLink, facts: SourceFacts): CheckedFile | null {
  const { name, sizeBytes, revision } = facts;
  const problem = findSizeProblem(sizeBytes);
  const key = keyOfContent(link, revision);
  const video = key === null ? undefined : checker.known.get(key);
  return problem || video ? { name, sizeBytes, video: video ?? null, problem } : null;
}

function keyOfContent(link: CheckedLink, revision: string | null): string | null {
  return revision === null ? null : `${keyOfCheck(link)} ${revision}`;
}

/** A range from the first byte is only rejected for an empty file (RFC 9110, section 14.1.2). */
function isOfEmptyFile(error: unknown): boolean {
  return error instanceof ClipmillError && error.facts["status"] === 416;
}

/** `opened` is the response for the first 512 KiB; a host without ranges sends the complete file. */
function excerptOf(link: SourceLink, opened: OpenedSource, signal: AbortSignal): ExcerptSource {
  const { response } = opened;
  const host = linkHostOf(link.host);
  const service = host.partOf?.(link) ?? host.label;
  const sizeBytes = opened.facts.sizeBytes ?? totalBytesOf(response);
  return {
    sizeBytes,
    async writeHead(file) {
      const expected = Math.min(HEAD_BYTES, sizeBytes ?? 0);
      const receiving = { service, signal, position: 0, atMostBytes: HEAD_BYTES };
      const received = startOf(response) === 0 ? await receiveRange(response, file, receiving) : 0;
      if (received < expected) throw incomplete(service);
      return received;
    },
    async writeRange({ start, end }, file, position) {
      if (response.status !== 206) return false;
      const range = await opened.reopen({ start, end: end - 1 });
      const isOther = range.headers.etag !== response.headers.etag;
      if (isOther || range.status !== 206 || startOf(range) !== start) {
        range.body.destroy();
        if (isOther) throw changed(service);
        return false;
      }
      const atMostBytes = end - start;
      if ((await receiveRange(range, file, { service, signal, position, atMostBytes })) < atMostBytes) {
        throw incomplete(service);
      }
      return true;
    },
  };
}

/** Throws like `storage.read`. */
function excerptOfStored(storage: Storage, key: string, sizeBytes: number): ExcerptSource {
  const write = async (start: number, end: number, file: FileHandle, position: number): Promise<number> => {
    let written = 0;
    for await (const chunk of (await storage.read(key, { start, end: end - 1 })) as AsyncIterable<Buffer>) {
      await file.write(chunk, 0, chunk.length, position + written);
      written += chunk.length;
    }
    return written;
  };
  return {
    sizeBytes,
    writeHead: (file) => write(0, Math.min(HEAD_BYTES, sizeBytes), file, 0),
    writeRange: async ({ start, end }, file, position) => (await write(start, end, file, position)) === end - start,
  };
}

function changed(service: string): ClipmillError {
  return new ClipmillError("incomplete", `This file changed on ${service} during the check. Check it again.`);
}
