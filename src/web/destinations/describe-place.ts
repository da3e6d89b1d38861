import type { Destination, DestinationKind } from "#contract/destinations/destinations.ts";

export const KIND_LABELS: Record<DestinationKind, string> = {
  folder: "Folder",
  s3: "S3 bucket",
  sftp: "SFTP",
  drive: "Google Drive",
  dropbox: "Dropbox",
};

/** Returns "S3 bucket clips/monday", for example. */
export function describePlace({ kind, place, folder }: Pick<Destination, "kind" | "place" | "folder">): string {
  return `${KIND_LABELS[kind]} ${[place, folder].filter((part) => part !== "").join("/")}`;
}
