import { authorityOf } from "#contract/authority-of.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { AcceptedSources } from "#contract/sources/accepted-sources.ts";
import type {
  SourceAccess,
  SourceBaseUrls,
  SourceFacts,
  SourceHost,
  SourceResponse,
} from "#contract/sources/source-host.ts";
import { sourceHostOf } from "#contract/sources/source-hosts.ts";
import { WORKER_PATH } from "#contract/workers/worker-protocol.ts";
import { fetchSourceFile } from "#integrations/sources/save-source.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import { describeSource, type FactsMemory } from "#operations/sources/describe-source.ts";
import type { HttpLink, LibrarySource, SourceReader } from "#operations/sources/source-reader.ts";
import type { SourceCache } from "../sources/source-cache.ts";
import { MAX_VIDEO_BYTES } from "../sources/fetch-source.ts";
import { claimPath } from "./records-by-token.ts";
import { readJson, type ServerLine, toError, unreachable } from "./server-line.ts";

type Options = {
  line: ServerLine;
  sources: SourceCache;
  baseUrls: SourceBaseUrls;
  ytDlpPath: string | null;
  facts: FactsMemory;
};

/** The link needs a key or a connection of the installation. */
class NeedsServer extends Error {}

function needServer(): Promise<never> {
  return Promise.reject(new NeedsServer());
}

/**
 * Fetches public files itself, and all others through the server: library files, and links that need a connection or
 * lead into the server's network.
 */
export function createReaderByToken(
  { line, sources, baseUrls, ytDlpPath, facts: memory }: Options,
  claim: { videoId: string; retryCount: number },
): SourceReader {
  const path = claimPath(claim);
  const access: Omit<SourceAccess, "get"> = {
    ...{ baseUrls, privateSources: [], googleDriveKey: null, signS3: needServer, openDropbox: needServer },
  };
  let accepted: Promise<AcceptedSources> | null = null;
  const readAccepted = (): Promise<AcceptedSources> =>
    (accepted ??= line.call<AcceptedSources>(`${path}/accepted`).catch((error: unknown) => {
      accepted = null;
      throw error;
    }));
  const isPrivate = async ({ host, id }: HttpLink): Promise<boolean> => {
    if (host !== "web") return false;
    return (await readAccepted()).privateSources.includes(authorityOf(id));
  };
  /** Runs `own` unless the link needs the server. */
  const preferOwn = async <Result>(link: HttpLink, own: () => Promise<Result>, byServer: () => Promise<Result>) => {
    if (await isPrivate(link)) return await byServer();
    try {
      return await own();
    } catch (error) {
      if (error instanceof NeedsServer) return await byServer();
      throw error;
    }
  };

  return {
    ytDlpPath,
    readAccepted,
    describe: (link, signal) =>
      preferOwn(
        link,
        () => describeSource(memory, sourceHostOf(link.host), link, { ...access, get: createSourceGet({ signal }) }),
        () => line.call<SourceFacts | null>(`${path}/describe`, { link: link.text }, { signal }),
      ),
    save: (link, options) =>
      preferOwn(
        link,
        () => fetchSourceFile(sourceHostOf(link.host), link, { ...options, access }),
        () => {
          const address = `${line.origin}${WORKER_PATH}${path}/source?${new URLSearchParams({ link: link.text })}`;
          return fetchSourceFile(serverAsHost(line, address), link, { ...options, access });
        },
      ),
    async findLibraryFile(id) {
      const found = await line.call<FoundFile | null>(`${path}/library`, { id });
      return found && { ...found, toLocalFile: (taker) => takeFile(found, taker) };
      async function takeFile(
        { name, address }: FoundFile,
        { folder, signal }: Parameters<LibrarySource["toLocalFile"]>[0],
      ): Promise<string> {
        const taker = { folder: folder!, signal: signal! };
        const taken = await sources.take(`library:${id}`, taker, async (toPath, shared) => {
          const host =
            address === null
              ? serverAsHost(line, `${line.origin}${WORKER_PATH}${path}/library/${id}`)
              : storageAsHost(address);
          const link = { host: "web", id: line.origin, accessKey: null } as const;
          const options = { facts: null, maxBytes: MAX_VIDEO_BYTES, signal: shared, toPath };
          await fetchSourceFile(host, link, { ...options, access });
          return { name };
        });
        return taken.path;
      }
    },
  };
}

type FoundFile = Pick<LibrarySource, "name" | "kind" | "digest"> & { address: string | null };

/** Downloads from an address of the server, with the token. */
function serverAsHost(line: ServerLine, address: string): SourceHost {
  return addressAsHost(address, { baseUrl: line.origin, headers: line.headers }, async (response) => {
    if (response instanceof Error) return isCancelled(response) ? response : unreachable(response);
    return toError(response.status, readJson(await response.text()));
  });
}

/** Downloads from a presigned address of the storage. */
function storageAsHost(address: string): SourceHost {
  return addressAsHost(address, { baseUrl: new URL(address).origin, headers: {} }, async (response) => {
    if (response instanceof Error) return response;
    const facts = { status: response.status };
    return response.status === 404
      ? new ClipmillError("not_found", "This file is not in storage.", { facts })
      : new ClipmillError("unavailable", "The storage did not send a file. Retry later.", { facts });
  });
}

function isCancelled(error: Error): boolean {
  return error instanceof ClipmillError && error.code === "cancelled";
}

/** `explain` returns the error for an unusable response, or for none. */
function addressAsHost(
  address: string,
  { baseUrl, headers }: { baseUrl: string; headers: Readonly<Record<string, string>> },
  explain: (response: SourceResponse | Error) => Promise<Error>,
): SourceHost {
  const open = async (get: SourceAccess["get"], start: number): Promise<SourceResponse> => {
    const range = start > 0 && { range: `bytes=${start}-` };
    const request = { service: "The server", baseUrl, allowedHosts: [], headers: { ...headers, ...range } };
    const response = await get(new URL(address), request).catch(async (error: Error) => {
      throw await explain(error);
    });
    if (response.status === 200 || response.status === 206) return response;
    throw await explain(response);
  };
  return {
    links: sourceHostOf("web").links,
    services: [],
    describe: () => Promise.reject(new ClipmillError("internal", "The address of a file has no description.")),
    async open(_link, { get }, { facts }) {
      const response = await open(get, 0);
      const found = { name: response.fileName ?? "", mimeType: "", revision: null, sizeBytes: response.contentLength };
      return {
        facts: facts ?? found,
        response,
        reopen: ({ start }) => open(get, start),
      };
    },
  };
}
