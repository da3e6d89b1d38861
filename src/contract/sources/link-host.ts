/** Handles a host's links, without network access. */
import { z } from "zod";
import { named } from "../component.ts";
import type { UploadUse } from "../library.ts";

/** The same for all spellings of a link. */
export type SourceLink = {
  host: SourceHostName;
  id: string;
  /** Grants access, such as a resource key; null if absent. */
  accessKey: string | null;
};

export const SourceHostName = named(
  "SourceHostName",
  "Stored with waiting videos: never rename one.",
  z.enum(["library", "google-drive", "instagram", "dropbox", "onedrive", "s3", "video-sites", "web"]),
);
export type SourceHostName = z.infer<typeof SourceHostName>;

/** Images are only in the library. */
export type LinkUse = Exclude<UploadUse, "image">;

export type LinkHost = {
  name: SourceHostName;
  label: string;
  uses: readonly LinkUse[];
  /** Off until turned on in Settings. */
  isOptional: boolean;
  settingsText?: string;
  /** By default, accepts all links if the host is on. */
  accepts?(link: SourceLink, accepted: { isOn: boolean; privateSources: readonly string[] }): boolean;
  /** The part of the host that can be down by itself, such as a website; by default, the entire host. */
  partOf?(link: SourceLink): string;
  labelOfPart?(part: string): string;
  /**
   * Belong to this host only, even addresses that `parse` rejects. A missing https:// is added: browsers display them
   * without it.
   */
  domains: readonly string[];
  /** Returns null unless the address is a file's. `text` is as written. */
  parse(url: URL, text: string): Pick<SourceLink, "id" | "accessKey"> | null;
  /** Returns null unless the address is a folder's. */
  parseFolder?(url: URL, text: string): Pick<SourceLink, "id" | "accessKey"> | null;
  /** Explains, continuing "Line 3: ", why this host's address is not a file; null for other addresses. */
  explain?(url: URL, text: string): string | null;
  isDocument?(url: URL): boolean;
  /** What distinguishes a link whose file name is not known yet. */
  nameOf(link: SourceLink): string;
  addressOf(link: SourceLink): string | null;
};

/** Excludes addresses with a password or port. */
export function isPlainHttps(url: URL): boolean {
  return url.protocol === "https:" && url.username === "" && url.password === "" && url.port === "";
}
