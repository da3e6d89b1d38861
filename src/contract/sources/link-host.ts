/** The part of a source host that handles links, without network access. */
import type { MediaUse } from "../library.ts";

/** A link to one file, the same for all its spellings. */
export type SourceLink = {
  host: SourceHostName;
  id: string;
  /** The part of the link that grants access, such as a resource key; null for a link without one. */
  accessKey: string | null;
};

/** Stored as the host of a waiting video: never rename one. */
export type SourceHostName =
  | "library"
  | "google-drive"
  | "instagram"
  | "dropbox"
  | "onedrive"
  | "s3"
  | "video-sites"
  | "web";

export type LinkHost = {
  name: SourceHostName;
  /** For the operator, such as "Google Drive". */
  label: string;
  uses: readonly MediaUse[];
  /** True if it is off until an operator turns it on in Settings. */
  isOptional: boolean;
  /** One sentence beside the switch of an optional host. */
  settingsText?: string;
  /** Returns true for links that may be used. By default, all if the host is on. */
  accepts?(link: SourceLink, accepted: { isOn: boolean; privateSources: readonly string[] }): boolean;
  /** Returns the part of the host that can be down by itself, such as a website. The whole host by default. */
  partOf?(link: SourceLink): string;
  /** Returns the name of such a part for the operator; by default the part itself. */
  labelOfPart?(part: string): string;
  /**
   * Host names whose addresses belong to this host only, even those that `parse` rejects. A missing https:// is added,
   * because browsers display them without it.
   */
  domains: readonly string[];
  /** Returns null for an address that is not a link to one of its files. `text` is the address as written. */
  parse(url: URL, text: string): Pick<SourceLink, "id" | "accessKey"> | null;
  /** Returns null for an address that is not a link to one of its folders. */
  parseFolder?(url: URL, text: string): Pick<SourceLink, "id" | "accessKey"> | null;
  /** Returns why an address of this host is not a link to a file, continuing "Line 3: "; null for other addresses. */
  explain?(url: URL, text: string): string | null;
  /** Returns true for a link to a document instead of media. */
  isDocument?(url: URL): boolean;
  /** Returns the distinguishing part of a link, for a file whose name is not known yet. */
  nameOf(link: SourceLink): string;
  /** Returns the address at which a person opens the file; null if there is none. */
  addressOf(link: SourceLink): string | null;
};

/** Returns true for an https address without a password or a port. */
export function isPlainHttps(url: URL): boolean {
  return url.protocol === "https:" && url.username === "" && url.password === "" && url.port === "";
}
