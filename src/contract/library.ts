/** Upload rules of Clipmill's library. No zod, to keep it out of the screens' bundles. */

/** Intended use of an upload: a job's video or its music. */
export const UPLOAD_USES = ["video", "music"] as const;
export type UploadUse = (typeof UPLOAD_USES)[number];

export const MAX_UPLOAD_BYTES = 2 * 1024 ** 3;
export const UPLOAD_TOO_LARGE = "This file exceeds the 2 GB upload limit.";
