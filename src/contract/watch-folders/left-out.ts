/** `code` is stored; never rename one. */
export type LeftOut = { code: LeftOutCode; reason: string };

export type LeftOutCode =
  /** Decided before the file is complete. */
  | "hidden"
  | "temporary"
  | "not_a_video"
  | "name"
  | "link"
  | "special"
  /** Decided once it is complete. */
  | "empty"
  | "too_large"
  | "unusable"
  | "same"
  | "delivered"
  /** Other reasons. */
  | "existing"
  | "gone"
  | "unreadable";

const VIDEO = /\.(?:mp4|m4v|mov|mkv|webm|avi|mpe?g|mts|m2ts|ts|3gp|wmv|flv|ogv|mxf)$/i;
/** Names of incomplete files in many programs. */
const TEMPORARY = /(?:\.(?:part|partial|crdownload|download|opdownload|filepart|tmp|temp|aria2|!ut)|~)$|^~\$/i;

export const LEFT_OUT = {
  hidden: { code: "hidden", reason: "Hidden file." },
  temporary: { code: "temporary", reason: "Temporary file of a program that is still writing." },
  not_a_video: { code: "not_a_video", reason: "Not a video." },
  name: {
    code: "name",
    reason: "The name has a comma, line break or unreadable character. Rename the file.",
  },
  link: { code: "link", reason: "Symbolic links are not followed." },
  fifo: { code: "special", reason: "This is a named pipe (FIFO), not a file." },
  socket: { code: "special", reason: "This is a socket, not a file." },
  device: { code: "special", reason: "This is a device, not a file." },
  empty: { code: "empty", reason: "The file is empty." },
  too_large: { code: "too_large", reason: "This file exceeds the 2 GB upload limit." },
  same: { code: "same", reason: "The content is the same as before." },
  delivered: {
    code: "delivered",
    reason: "Clipmill delivered this file. To create a job from it anyway, run it again.",
  },
  existing: { code: "existing", reason: "The file was there before the watch folder was added." },
  gone: { code: "gone", reason: "The file was removed or renamed before it was complete." },
} as const satisfies Record<string, LeftOut>;

/** Returns null unless the name excludes the file. A null `isVideo` means judging by the extension. */
export function judgeName(name: string, isVideo: boolean | null = null): LeftOut | null {
  if (TEMPORARY.test(name)) return LEFT_OUT.temporary;
  if (name.startsWith(".")) return LEFT_OUT.hidden;
  if (!(isVideo ?? VIDEO.test(name))) return LEFT_OUT.not_a_video;
  return null;
}
