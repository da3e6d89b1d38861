import { open, stat } from "node:fs/promises";
import path from "node:path";
import { type UploadUse, uploadLimit, uploadTooLarge } from "#contract/library.ts";
import { isMissing } from "#ground/error-code.ts";

export type LocalFile = { path: string; use: UploadUse; sizeBytes: number };

const ENDINGS: Record<UploadUse, RegExp> = {
  video: /\.(?:mp4|m4v|mov|mkv|webm|avi|mpe?g|mts|m2ts|ts|3gp|wmv|flv)$/i,
  music: /\.(?:mp3|m4a|aac|wav|flac|ogg|opus|aiff?|wma|mp4|mov)$/i,
  image: /\.(?:png|webp)$/i,
};

export function isMediaFile(name: string, use: UploadUse): boolean {
  return ENDINGS[use].test(name);
}

/** `fault` is a predicate, such as "does not exist". */
export async function lookAtFile(file: string, use: UploadUse): Promise<LocalFile | { fault: string }> {
  try {
    const { size: sizeBytes, isFile } = await stat(file).then((found) => ({
      size: found.size,
      isFile: found.isFile(),
    }));
    if (!isFile) return { fault: "is not a file" };
    if (sizeBytes === 0) return { fault: "is empty" };
    if (sizeBytes > uploadLimit(use)) return { fault: `cannot be uploaded: ${lowerFirst(uploadTooLarge(use))}` };
    await (await open(file, "r")).close();
    return { path: path.resolve(file), use, sizeBytes };
  } catch (error) {
    return { fault: isMissing(error) ? "does not exist" : "cannot be opened" };
  }
}

function lowerFirst(sentence: string): string {
  return (sentence[0]?.toLowerCase() ?? "") + sentence.slice(1).replace(/\.$/, "");
}
