import type { LibraryKind } from "#contract/calls.ts";
import type { AcceptedSources } from "#contract/sources/accepted-sources.ts";
import type { SourceLink } from "#contract/sources/link-host.ts";
import type { SourceFacts } from "#contract/sources/source-host.ts";
import { type HttpHostName, sourceHostOf } from "#contract/sources/source-hosts.ts";
import { fetchSourceFile, type FetchOptions } from "#integrations/sources/save-source.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import type { Context } from "../context.ts";
import { describeSource } from "./describe-source.ts";
import { readAcceptedSources, readSourceAccess } from "./prepare-sources.ts";

/** `text` is as written. */
export type HttpLink = SourceLink & { host: HttpHostName; text: string };

export type LibrarySource = {
  name: string;
  kind: LibraryKind;
  /** SHA-256 of the content; null if it is not known. */
  digest: string | null;
  /** Returns a path for ffmpeg, read-only, maybe in `folder`. Throws "not_found" if the storage has no such file. */
  toLocalFile(options: { folder?: string | undefined; signal?: AbortSignal | undefined }): Promise<string>;
};

/** Reads the files behind links. */
export type SourceReader = {
  /** Null to search PATH. */
  ytDlpPath: string | null;
  readAccepted(): Promise<AcceptedSources>;
  /** Returns metadata at most a minute old. Throws like the host's `describe`. */
  describe(link: HttpLink, signal: AbortSignal): Promise<SourceFacts | null>;
  /** Resumes interrupted downloads. Throws what fetchSourceFile throws. */
  save(link: HttpLink, options: Omit<FetchOptions, "access">): Promise<{ name: string }>;
  /** Null if the library has no such file. */
  findLibraryFile(id: string): Promise<LibrarySource | null>;
};

/** With the installation's own keys and connections. */
export function createSourceReader(
  context: Pick<Context, "db" | "secrets" | "hosts" | "storage" | "sourceFacts">,
): SourceReader {
  return {
    ytDlpPath: context.hosts.ytDlpPath,
    readAccepted: () => readAcceptedSources(context),
    async describe(link, signal) {
      const access = { ...(await readSourceAccess(context)), get: createSourceGet({ signal }) };
      return await describeSource(context.sourceFacts, sourceHostOf(link.host), link, access);
    },
    async save(link, options) {
      const access = await readSourceAccess(context);
      return await fetchSourceFile(sourceHostOf(link.host), link, { ...options, access });
    },
    async findLibraryFile(id) {
      const row = await context.db
        .selectFrom("library_files")
        .select(["name", "kind", "digest", "storage_key"])
        .where("id", "=", id)
        .executeTakeFirst();
      return row ? { ...row, toLocalFile: () => context.storage.toLocalFile(row.storage_key) } : null;
    },
  };
}
