import path from "node:path";
import type { LibraryKind } from "#contract/calls.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".mp3": "audio/mpeg",
  ".m4a": "audio/mp4",
  ".aac": "audio/aac",
  ".wav": "audio/wav",
  ".flac": "audio/flac",
  ".ogg": "audio/ogg",
  ".oga": "audio/ogg",
  ".opus": "audio/ogg",
  ".mp4": "video/mp4",
  ".m4v": "video/mp4",
  ".mov": "video/mp4",
  ".webm": "video/webm",
  ".mkv": "video/x-matroska",
};

/** Returns only audio, video or still images, so that no browser runs an uploaded file. */
export function mediaType({ name, kind }: { name: string; kind: LibraryKind }): string {
  const extension = path.extname(name).toLowerCase();
  if (kind === "image") return extension === ".webp" ? "image/webp" : "image/png";
  return TYPES[extension] ?? (kind === "audio" ? "audio/mpeg" : "video/mp4");
}
