import { web } from "./hosts/web.ts";
import { s3 } from "./hosts/s3/s3.ts";
import { googleDrive } from "./hosts/google-drive/google-drive.ts";
import type { SourceHostName } from "./link-host.ts";
import type { SourceHost } from "./source-host.ts";

/** All hosts whose files are read over HTTP. */
const SOURCE_HOSTS: readonly SourceHost[] = [googleDrive, s3, web];

/** Returns a host by its name. Neither the library nor Instagram, which needs yt-dlp, is one. */
export function sourceHostOf(name: Exclude<SourceHostName, "library" | "instagram">): SourceHost {
  return SOURCE_HOSTS.find(({ links }) => links.name === name)!;
}
