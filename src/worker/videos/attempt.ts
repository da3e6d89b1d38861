import type { ClaimedVideo } from "#operations/jobs/videos/claim-video.ts";
import type { VideoRecords } from "#operations/jobs/videos/video-records.ts";
import type { Contact } from "#operations/hosts/contact-host.ts";

/** An attempt at a video. `folder` is its own. */
export type Attempt = ClaimedVideo & {
  attempt: number;
  records: VideoRecords;
  folder: string;
  signal: AbortSignal;
  contact: Contact;
  storedThumbnails: Set<string>;
};
