import path from "node:path";

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

/** Returns an uploaded file's type: always audio or video, so that no browser runs it. */
export function mediaType({ name, kind }: { name: string; kind: "video" | "audio" }): string {
  return TYPES[path.extname(name).toLowerCase()] ?? (kind === "audio" ? "audio/mpeg" : "video/mp4");
}
