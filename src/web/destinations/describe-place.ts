import type { Destination, DestinationKind, PostMode } from "#contract/destinations/destinations.ts";

export const KIND_LABELS: Record<DestinationKind, string> = {
  folder: "Folder",
  s3: "S3 bucket",
  sftp: "SFTP",
  drive: "Google Drive",
  dropbox: "Dropbox",
  postiz: "Postiz",
};

const MODES: Record<PostMode, string> = { draft: "Drafts", schedule: "Scheduled posts", now: "Immediate posts" };

/** Returns, for example, "S3 bucket clips/monday" or "Drafts in Postiz: Clips, Shorts". */
export function describePlace({
  kind,
  place,
  folder,
  posting,
}: Pick<Destination, "kind" | "place" | "folder" | "posting">): string {
  if (posting) return `${MODES[posting.mode]} in Postiz: ${posting.channels.map(({ name }) => name).join(", ")}`;
  return `${KIND_LABELS[kind]} ${[place, folder].filter((part) => part !== "").join("/")}`;
}
