import { CONNECTION_SERVICES } from "../connections/services.ts";
import { web } from "./hosts/web.ts";
import { dropbox } from "./hosts/dropbox/dropbox.ts";
import { oneDrive } from "./hosts/onedrive.ts";
import { s3 } from "./hosts/s3/s3.ts";
import { googleDrive } from "./hosts/google-drive/google-drive.ts";
import type { SourceHostName } from "./link-host.ts";
import type { SourceHost, SourceService } from "./source-host.ts";

const SOURCE_HOSTS: readonly SourceHost[] = [googleDrive, dropbox, oneDrive, s3, web];

export const SOURCE_SERVICES: readonly SourceService[] = [
  ...SOURCE_HOSTS.flatMap(({ services }) => services),
  ...CONNECTION_SERVICES,
];

/** Excludes the library and sites that need yt-dlp. */
export type HttpHostName = Exclude<SourceHostName, "library" | "instagram" | "video-sites">;

export function isHttpHost(name: SourceHostName): name is HttpHostName {
  return SOURCE_HOSTS.some(({ links }) => links.name === name);
}

export function sourceHostOf(name: HttpHostName): SourceHost {
  return SOURCE_HOSTS.find(({ links }) => links.name === name)!;
}
