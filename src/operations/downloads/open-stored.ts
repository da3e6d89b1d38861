import path from "node:path";
import { crc32 } from "node:zlib";
import type { LibraryKind } from "#contract/calls.ts";
import { cleanFileName } from "#contract/clean-name.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { ByteRange, Storage } from "#storage/storage.ts";
import type { Context } from "../context.ts";
import { coverKeyOf } from "../jobs/job-folders.ts";
import {
  readOutputSubtitles,
  subtitleFile,
  type SubtitleFormat,
  subtitleName,
} from "../jobs/videos/output-subtitles.ts";
import { coverName } from "./job-files.ts";
import type { Download } from "./link-signer.ts";

/** `version` changes with the file's bytes. Throws ClipmillError "not_found". */
async function openStored(
  storage: Storage,
  key: string | null | undefined,
  details: { fileName: string; type: string; version: string },
): Promise<Download> {
  const sizeBytes = key ? await storage.sizeOf(key) : null;
  if (!key || sizeBytes === null) throw new ClipmillError("not_found", "This file no longer exists.");
  const { fileName, type, version } = details;
  return {
    fileName,
    type,
    sizeBytes,
    etag: `"${version}-${sizeBytes.toString(16)}"`,
    storageKey: key,
    read: (range) => readStored(storage, key, range),
  };
}

async function* readStored(storage: Storage, key: string, range: ByteRange): AsyncGenerator<Uint8Array> {
  yield* await storage.read(key, range);
}

/** Throws ClipmillError "not_found". */
export async function openOutput(context: Pick<Context, "db" | "storage">, outputId: string): Promise<Download> {
  const output = await context.db
    .selectFrom("job_outputs")
    .select(["name", "storage_key", "crc32"])
    .where("id", "=", outputId)
    .executeTakeFirst();
  const fileName = cleanFileName(output?.name ?? "", "output.mp4");
  return openStored(context.storage, output?.storage_key, { fileName, type: "video/mp4", version: versionOf(output) });
}

/** Throws ClipmillError "not_found". */
export async function openThumbnail(context: Pick<Context, "db" | "storage">, outputId: string): Promise<Download> {
  const output = await context.db
    .selectFrom("job_outputs")
    .select(["thumbnail_key", "crc32"])
    .where("id", "=", outputId)
    .executeTakeFirst();
  const details = { fileName: "thumbnail.jpg", type: "image/jpeg", version: versionOf(output) };
  return openStored(context.storage, output?.thumbnail_key, details);
}

/** Throws ClipmillError "not_found". */
export async function openCover(context: Pick<Context, "db" | "storage">, outputId: string): Promise<Download> {
  const output = await context.db
    .selectFrom("job_outputs")
    .select(["name", "storage_key", "cover"])
    .where("id", "=", outputId)
    .executeTakeFirst();
  const fileName = coverName(cleanFileName(output?.name ?? "", "output.mp4"));
  const key = output?.storage_key && output.cover ? coverKeyOf(output.storage_key) : null;
  return openStored(context.storage, key, { fileName, type: "image/jpeg", version: versionOf(output?.cover) });
}

/** Throws ClipmillError "not_found". */
export async function openSubtitles(
  context: Pick<Context, "db">,
  outputId: string,
  format: SubtitleFormat,
): Promise<Download> {
  const { name, srt, language } = await readOutputSubtitles(context, outputId);
  const bytes = subtitleFile(srt, format);
  return {
    fileName: subtitleName(cleanFileName(name, "output.mp4"), format, language),
    type: format === "vtt" ? "text/vtt; charset=utf-8" : "application/x-subrip; charset=utf-8",
    sizeBytes: bytes.length,
    etag: `"${crc32(bytes).toString(16)}"`,
    storageKey: null,
    async *read({ start, end }) {
      yield bytes.subarray(start, end + 1);
    },
  };
}

function versionOf(output: { crc32: number | null } | null | undefined): string {
  return (output?.crc32 ?? 0).toString(16);
}

/** Throws ClipmillError "not_found". */
export async function openLibraryFile(context: Pick<Context, "db" | "storage">, id: string): Promise<Download> {
  const file = await context.db
    .selectFrom("library_files")
    .select(["name", "kind", "storage_key"])
    .where("id", "=", id)
    .where("stored_at", "is not", null)
    .executeTakeFirst();
  const details = { fileName: file?.name ?? "", type: file ? mediaType(file) : "", version: id };
  return openStored(context.storage, file?.storage_key, details);
}

/** Throws ClipmillError "not_found". */
export async function openLibraryThumbnail(context: Pick<Context, "db">, id: string): Promise<Download> {
  const found = await context.db
    .selectFrom("library_thumbnails")
    .innerJoin("library_files", "id", "file_id")
    .select(["picture", "kind"])
    .where("file_id", "=", id)
    .executeTakeFirst();
  const picture = found?.picture;
  if (!picture) throw new ClipmillError("not_found", "This file no longer exists.");
  const format = found.kind === "image" ? "png" : "jpeg";
  return {
    fileName: `thumbnail.${format}`,
    type: `image/${format}`,
    sizeBytes: picture.length,
    etag: `"${id}"`,
    storageKey: null,
    async *read({ start, end }) {
      yield picture.subarray(start, end + 1);
    },
  };
}

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

/** Returns only audio, video, still images or plain text, so that no browser runs an uploaded file. */
export function mediaType({ name, kind }: { name: string; kind: LibraryKind }): string {
  const extension = path.extname(name).toLowerCase();
  if (kind === "subtitles") return "text/plain";
  if (kind === "image") return extension === ".webp" ? "image/webp" : "image/png";
  return TYPES[extension] ?? (kind === "audio" ? "audio/mpeg" : "video/mp4");
}
