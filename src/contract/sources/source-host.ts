/** How Clipmill reads the files of a source host. The network is an argument, so that hosts are browser-safe. */
import type { S3BucketRequest, SignedS3Request } from "../connections/s3-requests.ts";
import type { LinkHost, SourceLink } from "./link-host.ts";
import type { ListedFile } from "./preflight.ts";

/** File metadata. */
export type SourceFacts = {
  name: string;
  mimeType: string;
  /** Null if the host does not report it. */
  sizeBytes: number | null;
  /** Changes with the content; null if the host does not report it. */
  revision: string | null;
  /** How the host found the file, for its `open`. */
  via?: string;
};

/** A range of bytes, both ends included; `end` is null for the rest of the file. */
export type ByteRange = { start: number; end: number | null };

/** A started download. */
export type OpenedSource = {
  facts: SourceFacts;
  /** The response to the request for the bytes: 200 with the whole file, or 206. */
  answer: SourceAnswer;
  /** Requests other bytes of the same content. Hosts without ranges answer 200 with the whole file. */
  reopen(range: ByteRange): Promise<SourceAnswer>;
};

export type SourceHost = {
  links: LinkHost;
  /** The services that it sends requests to; empty if a link names its own. */
  services: readonly SourceService[];
  /**
   * Returns a file's metadata without downloading it, or null if only the download shows it. Throws ClipmillError:
   * not_shared, source_not_found, quota_exceeded, rate_limited (with retryAfterSeconds), not_a_video, bad_link,
   * bad_key, network and cancelled.
   */
  describe(link: SourceLink, access: SourceAccess): Promise<SourceFacts | null>;
  /** Starts a download. `facts` is what `describe` returned. Throws like `describe`. */
  open(
    link: SourceLink,
    access: SourceAccess,
    what: { facts: SourceFacts | null; range?: ByteRange },
  ): Promise<OpenedSource>;
  /**
   * Returns the video and audio files of a folder by name, without those of its folders. Absent for hosts without
   * folders. Throws like `describe`, and too_large for more than MAX_FOLDER_FILES.
   */
  list?(folder: SourceLink, access: SourceAccess): Promise<ListedFile[]>;
  /**
   * Returns all files of a folder, of any type and in any order, without those of its folders. Absent for hosts that
   * cannot be watched. Throws like `describe`, and too_large for more than `mostFiles`.
   */
  listEntries?(folder: SourceLink, access: SourceAccess, mostFiles: number): Promise<FolderEntry[]>;
};

/** A file in a folder that is watched. */
export type FolderEntry = {
  /** Unique in its folder, and the same for all versions of the file. */
  path: string;
  name: string;
  link: string;
  sizeBytes: number | null;
  /** Changes with the content. */
  revision: string;
  /** Null if the host reports only the name. */
  isVideo: boolean | null;
};

export const MAX_FOLDER_FILES = 1_000;

/** What a host needs of the machine and its settings. */
export type SourceAccess = {
  get: SourceGet;
  baseUrls: SourceBaseUrls;
  /** Addresses off the public network, as `host:port`, from which files may be fetched. */
  privateSources: readonly string[];
  /** The Google Drive key, or null if none is saved. */
  googleDriveKey: string | null;
  /**
   * Signs a GET request with the connection of its bucket. Throws ClipmillError "bad_key" if there is none, or if its
   * secret cannot be decrypted.
   */
  signS3(request: S3BucketRequest): Promise<SignedS3Request>;
  /**
   * Opens the API of Dropbox with a connection. Throws ClipmillError "bad_key" if there is none, or if its secret cannot be
   * decrypted.
   */
  openDropbox(get: SourceGet): Promise<DropboxRequests>;
};

/** Requests to Dropbox's API, which are authorized outside the contract. They return answers of any status but 401. */
export type DropboxRequests = {
  /** The connection's name. */
  connection: string;
  /** Calls an endpoint with JSON. */
  ask(this: void, endpoint: string, input: unknown): Promise<SourceAnswer>;
  /** Downloads from an endpoint. */
  read(this: void, endpoint: string, input: unknown, headers: Record<string, string>): Promise<SourceAnswer>;
};

export type SourceService = {
  /** The environment variable that replaces its address, so that tests can use a local twin. */
  variable: string;
  defaultUrl: string;
};

/** Addresses of the hosts' services by their variable, without a trailing slash. */
export type SourceBaseUrls = Readonly<Record<string, string>>;

/** Returns the configured address of a service. */
export function baseUrlOf({ baseUrls }: Pick<SourceAccess, "baseUrls">, service: SourceService): string {
  return baseUrls[service.variable] ?? service.defaultUrl;
}

export type SourceRequest = {
  /** Name for error messages. */
  service: string;
  /** A configured address, whose origin is trusted, even plain http and loopback; null to trust none. */
  baseUrl: string | null;
  /** Hosts that redirects may lead to; `*.` matches any subdomain. */
  allowedHosts: readonly string[] | "all";
  /** A redirect to this host is returned, not followed. */
  stopAtHost?: string;
  /** True to return all redirects. */
  returnsRedirects?: boolean;
  headers?: Record<string, string>;
  /** Sent as JSON by POST; absent for GET. Never sent on to the target of a redirect. */
  json?: unknown;
  /** GET by default. */
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as it is, instead of `json`. Never sent on to the target of a redirect. */
  content?: Uint8Array | string;
  /** Sent by POST as the field `file` of a form. Never sent on to the target of a redirect. */
  file?: { name: string; content: Blob };
};

/**
 * Sends a request and waits out short delays that the host requests (429, 503). Returns a response of any status.
 * Throws ClipmillError: "network" for an unreachable or silent host, "bad_link" for a redirect out of the service,
 * "cancelled" on abort.
 */
export type SourceGet = (url: URL, request: SourceRequest) => Promise<SourceAnswer>;

export type SourceAnswer = {
  status: number;
  headers: Record<string, string | undefined>;
  /** The address after redirects. May contain a key: never log it. */
  url: URL;
  /** Of Content-Disposition; null if absent. */
  fileName: string | null;
  /** Of Content-Length, in bytes; null if absent. */
  contentLength: number | null;
  /** Of Retry-After; null if absent. */
  retryAfterSeconds: number | null;
  /** The target of a redirect that was not followed. */
  redirectTarget: URL | null;
  /** Returns the first 512 KiB of the body as text. Throws like the request. */
  text(): Promise<string>;
  /** Must be read or destroyed. */
  body: SourceBody;
};

type SourceBody = AsyncIterable<Uint8Array> & { destroy(): void };
