/** Clipmill's own library: uploads and samples, and what may be uploaded. Free of zod, so that the screens can load it at once. */

/** What an upload is wanted for: a video of a job, or its music. */
export const UPLOAD_USES = ["video", "music"] as const;
export type UploadUse = (typeof UPLOAD_USES)[number];

export const MOST_UPLOAD_BYTES = 2 * 1024 ** 3;
export const UPLOAD_TOO_LARGE = "This file exceeds the 2 GB upload limit.";
