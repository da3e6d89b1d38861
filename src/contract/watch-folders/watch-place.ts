/** The server checks the other kinds. */
import { googleDriveLinks } from "../sources/hosts/google-drive/links.ts";
import type { WatchKind } from "./watch-folders.ts";

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const DRIVE_ID = /^[\w-]{4,200}$/;

/** Returns a sentence, or null. */
export function problemOfWatchPlace(kind: WatchKind, place: string): string | null {
  if (kind === "drive") return driveFolderId(place) === null ? "Enter the link to a Google Drive folder." : null;
  if (kind !== "dropbox" && kind !== "sftp") return null;
  if (place.includes("://")) return "Enter the folder's path, such as /incoming.";
  if (INVISIBLE.test(place)) return "The folder can't contain invisible characters.";
  return place.split("/").includes("..") ? "The folder can't have .. in its path." : null;
}

/** Reads a Google Drive folder's link or ID; returns null for other texts. */
export function driveFolderId(place: string): string | null {
  if (DRIVE_ID.test(place)) return place;
  const url = URL.parse(place);
  return (url && googleDriveLinks.parseFolder?.(url, place)?.id) ?? null;
}
