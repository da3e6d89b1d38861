import type { UploadUse } from "#contract/library.ts";

/** For `accept` of file inputs. */
export const ACCEPTED_FILES = {
  video: "video/*,.mkv,.gif,.apng,.dv",
  music: "audio/*,video/*",
  image: "image/png,image/webp",
  subtitles: ".srt,.vtt,.ass,.ssa,.json",
} as const satisfies Record<UploadUse, string>;

const MUSIC_NAME = /\.(?:mp3|m4a|aac|wav|flac|ogg|oga|opus|aiff?|wma)$/i;

const SUBTITLE_NAME = /\.(?:srt|vtt|ass|ssa|json)$/i;

const IMAGE_NAME = /\.(?:png|webp)$/i;

/** A section sets the use; elsewhere, the file's type decides. */
export function uploadUseOf(file: Pick<File, "type" | "name">, section: UploadUse | null): UploadUse {
  if (section !== null) return section;
  if (file.type.startsWith("audio/") || MUSIC_NAME.test(file.name)) return "music";
  if (SUBTITLE_NAME.test(file.name)) return "subtitles";
  return IMAGE_NAME.test(file.name) ? "image" : "video";
}

/** Tables are opened instead of uploaded. */
export function isTableFile({ name, type }: Pick<File, "name" | "type">): boolean {
  return /\.(?:csv|tsv|tab)$/i.test(name) || type === "text/csv" || type === "text/tab-separated-values";
}

/** Judges by type only: names are unknown until the drop. */
export function areTables({ items }: DataTransfer): boolean {
  return items.length > 0 && [...items].every(({ type }) => isTableFile({ name: "", type }));
}

/** Returns false for dragged text and links. */
export function containsFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.includes("Files") ?? false;
}

/** Folders look like files but cannot be read. */
export function readDroppedFiles(transfer: DataTransfer): { file: File; isFolder: boolean }[] {
  return [...transfer.items].flatMap((item) => {
    const file = item.getAsFile();
    return file ? [{ file, isFolder: item.webkitGetAsEntry()?.isDirectory ?? false }] : [];
  });
}
