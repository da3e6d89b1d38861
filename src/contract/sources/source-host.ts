/** Reads the files of a source host. The network is an argument: hosts are browser-safe. */
import type { S3BucketRequest, SignedS3Request } from "../connections/s3-requests.ts";
import type { LinkHost, SourceLink } from "./link-host.ts";
import type { ListedFile } from "./preflight.ts";

export type SourceFacts = {
  name: string;
  mimeType: string;
  sizeBytes: number | null;
  /** Changes with the content; null if not reported. */
  revision: string | null;
  /** How the host found the file, for `open`. */
  via?: string;
};

/** Both ends included; a null `end` means the rest of the file. */
export type ByteRange = { start: number; end: number | null };

export type OpenedSource = {
  facts: SourceFacts;
  /** 200 with the entire file, or 206. */
  response: SourceResponse;
  /** Requests other bytes of the same content. Hosts without ranges return 200 with the entire file. */
  reopen(range: ByteRange): Promise<SourceResponse>;
};

export type SourceHost = {
  links: LinkHost;
  /** Services it requests; empty if links name their own. */
  services: readonly SourceService[];
  /**
   * Returns metadata without a download, or null if only the download has it. Throws ClipmillError: not_shared,
   * source_not_found, quota_exceeded, rate_limited (with retryAfterSeconds), not_a_video, bad_link, bad_key, network
   * and cancelled.
   */
  describe(link: SourceLink, access: SourceAccess): Promise<SourceFacts | null>;
  /** `facts` is the result of `describe`. Throws like `describe`. */
  open(
    link: SourceLink,
    access: SourceAccess,
    what: { facts: SourceFacts | null; range?: ByteRange },
  ): Promise<OpenedSource>;
  /**
   * Returns the folder's video and audio files by name, without subfolders. Absent for hosts without folders. Throws
   * like `describe`, and too_large for more than MAX_FOLDER_FILES.
   */
  list?(folder: SourceLink, access: SourceAccess): Promise<ListedFile[]>;
  /**
   * Returns all files of a folder, in any order, without subfolders. Absent for hosts that cannot be watched. Throws
   * like `describe`, and too_large for more than `mostFiles`.
   */
  listEntries?(folder: SourceLink, access: SourceAccess, mostFiles: number): Promise<FolderEntry[]>;
};

export type FolderEntry = {
  /** Unique in the folder; the same for all versions. */
  path: string;
  name: string;
  link: string;
  sizeBytes: number | null;
  revision: string;
  /** Null if the host reports only names. */
  isVideo: boolean | null;
};

export const MAX_FOLDER_FILES = 1_000;

export type SourceAccess = {
  get: SourceGet;
  baseUrls: SourceBaseUrls;
  /** Non-public `host:port` addresses from which files may be fetched. */
  privateSources: readonly string[];
  googleDriveKey: string | null;
  /**
   * Signs a GET request with the bucket's connection. Throws ClipmillError "bad_key" without one, or if its secret
   * cannot be decrypted.
   */
  signS3(request: S3BucketRequest): Promise<SignedS3Request>;
  /** Uses a Dropbox connection. Throws ClipmillError "bad_key" without one, or if its secret cannot be decrypted. */
  openDropbox(get: SourceGet): Promise<DropboxRequests>;
};

/** Calls return any status but 401. The access token stays outside the contract. */
export type DropboxRequests = {
  connection: string;
  ask(this: void, endpoint: string, input: unknown): Promise<SourceResponse>;
  read(this: void, endpoint: string, input: unknown, headers: Record<string, string>): Promise<SourceResponse>;
};

export type SourceService = {
  /** Replaces the address in tests. */
  variable: string;
  defaultUrl: string;
};

/** By service variable, without trailing slashes. */
export type SourceBaseUrls = Readonly<Record<string, string>>;

export function baseUrlOf({ baseUrls }: Pick<SourceAccess, "baseUrls">, service: SourceService): string {
  return baseUrls[service.variable] ?? service.defaultUrl;
}

export type SourceRequest = {
  service: string;
  /** A configured address whose origin is trusted, even plain http and loopback; null to trust none. */
  baseUrl: string | null;
  /** Redirect targets; `*.` matches any subdomain. */
  allowedHosts: readonly string[] | "all";
  /** Returns a redirect to this host instead of following it. */
  stopAtHost?: string;
  /** Returns every redirect instead of following it. */
  returnsRedirects?: boolean;
  headers?: Record<string, string>;
  /** Sent by POST, but not to a redirect's target. */
  json?: unknown;
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent instead of `json`, but not to a redirect's target. */
  content?: Uint8Array | string;
  /** Sent by POST as the form field `file`, but not to a redirect's target. */
  file?: { name: string; content: Blob };
};

/**
 * Waits out short delays that the host requests (429, 503); returns any other status. Throws ClipmillError: "network"
 * for an unreachable or unresponsive host, "bad_link" for a redirect out of the service, "cancelled" on abort.
 */
export type SourceGet = (url: URL, request: SourceRequest) => Promise<SourceResponse>;

export type SourceResponse = {
  status: number;
  headers: Record<string, string | undefined>;
  /** After redirects. May contain a key: never log it. */
  url: URL;
  /** From Content-Disposition. */
  fileName: string | null;
  /** From Content-Length. */
  contentLength: number | null;
  /** From Retry-After. */
  retryAfterSeconds: number | null;
  /** Set for a redirect that was not followed. */
  redirectTarget: URL | null;
  /** Returns the first 512 KiB. Throws like the request. */
  text(): Promise<string>;
  /** Must be read or destroyed. */
  body: SourceBody;
};

type SourceBody = AsyncIterable<Uint8Array> & { destroy(): void };
