/** Sources for workers without the database, read with the installation's keys and connections. */
import { authorityOf } from "#contract/authority-of.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { AcceptedSources } from "#contract/sources/accepted-sources.ts";
import { parseLink } from "#contract/sources/links.ts";
import type { OpenedSource, SourceFacts } from "#contract/sources/source-host.ts";
import { isHttpHost, sourceHostOf } from "#contract/sources/source-hosts.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import type { Context } from "../context.ts";
import { describeSource } from "../sources/describe-source.ts";
import { readAcceptedSources, readSourceAccess } from "../sources/prepare-sources.ts";
import { createSourceReader, type HttpLink, type LibrarySource } from "../sources/source-reader.ts";
import type { TokenTask } from "./token-claims.ts";
import { linksOf, requireLibraryFile, requireLink } from "./video-uses.ts";

type SourceContext = Pick<Context, "db" | "storage" | "secrets" | "hosts" | "sourceFacts">;

/** Long enough for a download that starts now. */
const ADDRESS_SECONDS = 3_600;

/** Like readAcceptedSources, with the private addresses of the video's own links. */
export async function readAcceptedForWorker(context: SourceContext, task: TokenTask): Promise<AcceptedSources> {
  const { hosts, privateSources } = await readAcceptedSources(context);
  const own = new Set((await linksOf(context.db, task)).flatMap(addressOf));
  return { hosts, privateSources: privateSources.filter((address) => own.has(address)) };
}

function addressOf(text: string): string[] {
  const link = parseLink(text);
  return link?.host === "web" ? [authorityOf(link.id)] : [];
}

/** Like SourceReader.describe. Throws ClipmillError "forbidden" unless the video uses the link. */
export async function describeForWorker(
  context: SourceContext,
  task: TokenTask,
  text: string,
  signal: AbortSignal,
): Promise<SourceFacts | null> {
  return await createSourceReader(context).describe(await requireHttpLink(context, task, text), signal);
}

/**
 * Opens the source, from `startByte` on if the host can. Throws ClipmillError "forbidden" unless the video uses the link, and what the
 * host's `open` throws.
 */
export async function openForWorker(
  context: SourceContext,
  task: TokenTask,
  { text, startByte, signal }: { text: string; startByte: number; signal: AbortSignal },
): Promise<OpenedSource> {
  const link = await requireHttpLink(context, task, text);
  const host = sourceHostOf(link.host);
  const access = { ...(await readSourceAccess(context)), get: createSourceGet({ signal }) };
  const facts = await describeSource(context.sourceFacts, host, link, access);
  const range = startByte > 0 && { range: { start: startByte, end: null } };
  return await host.open(link, access, { facts, ...range });
}

/** `address` is in the storage; null if the server must send the file. Null if the library has no such file. */
export async function findLibraryFileForWorker(
  context: SourceContext,
  task: TokenTask,
  id: string,
): Promise<(Pick<LibrarySource, "name" | "kind" | "digest"> & { address: string | null }) | null> {
  const row = await context.db
    .selectFrom("library_files")
    .select(["name", "kind", "digest", "storage_key"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) return null;
  await requireLibraryFile(context.db, task, id);
  const options = { type: "application/octet-stream", disposition: null, seconds: ADDRESS_SECONDS };
  const address = (await context.storage.addresses?.of(row.storage_key, options)) ?? null;
  return { name: row.name, kind: row.kind, digest: row.digest, address };
}

async function requireHttpLink({ db }: Pick<Context, "db">, task: TokenTask, text: string): Promise<HttpLink> {
  await requireLink(db, task, text);
  const link = parseLink(text);
  if (!link || !isHttpHost(link.host)) throw new ClipmillError("bad_link", "This link does not lead to a file.");
  return { ...link, host: link.host, text };
}
