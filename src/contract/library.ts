/** No zod, to keep it out of the screens' bundles. */

/** An image is a job's watermark or layer. */
export const UPLOAD_USES = ["video", "music", "image", "subtitles"] as const;
export type UploadUse = (typeof UPLOAD_USES)[number];
/** Of files that ffmpeg reads. */
export type MediaUse = Exclude<UploadUse, "image" | "subtitles">;

const MAX_UPLOAD_BYTES = 2 * 1024 ** 3;
export const MAX_IMAGE_BYTES = 10 * 1024 ** 2;
/** A day of speech takes less. */
export const MAX_SUBTITLE_BYTES = 2_000_000;
/** More than any format needs. */
export const MAX_IMAGE_PIXELS_A_SIDE = 4_096;

const LIMITS: Record<UploadUse, number> = {
  video: MAX_UPLOAD_BYTES,
  music: MAX_UPLOAD_BYTES,
  image: MAX_IMAGE_BYTES,
  subtitles: MAX_SUBTITLE_BYTES,
};

/** In bytes. */
export function uploadLimit(use: UploadUse): number {
  return LIMITS[use];
}

export function uploadTooLarge(use: UploadUse): string {
  if (use === "subtitles") return "This subtitle file exceeds the 2 MB upload limit.";
  return use === "image" ? "This image exceeds the 10 MB upload limit." : "This file exceeds the 2 GB upload limit.";
}

export const LIBRARY_LIMITS = { nameCharacters: 200, tags: 20, tagCharacters: 40, filesDeletedAtOnce: 1_000 } as const;

/** Trims tags; drops empty ones and duplicates, ignoring case. */
export function cleanTags(tags: readonly string[]): string[] {
  const unique = new Map<string, string>();
  for (const text of tags) {
    const tag = text.trim().replace(/\s+/g, " ");
    const key = tag.toLowerCase();
    if (tag !== "" && !unique.has(key)) unique.set(key, tag);
  }
  return [...unique.values()];
}
