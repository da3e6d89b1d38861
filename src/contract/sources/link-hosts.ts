import { dropboxLinks } from "./hosts/dropbox/links.ts";
import { googleDriveLinks } from "./hosts/google-drive/links.ts";
import { instagramLinks } from "./hosts/instagram.ts";
import { libraryLinks } from "./hosts/library.ts";
import { oneDriveLinks } from "./hosts/onedrive.ts";
import { s3Links } from "./hosts/s3/links.ts";
import { videoSiteLinks } from "./hosts/video-sites.ts";
import { webLinks } from "./hosts/web.ts";
import type { SourceHostName, LinkHost } from "./link-host.ts";

/** The first host that recognizes a link owns it. */
export const LINK_HOSTS: readonly LinkHost[] = [
  libraryLinks,
  googleDriveLinks,
  instagramLinks,
  dropboxLinks,
  oneDriveLinks,
  s3Links,
  videoSiteLinks,
  webLinks,
];

export const OPTIONAL_HOSTS: readonly SourceHostName[] = LINK_HOSTS.filter(({ isOptional }) => isOptional).map(
  ({ name }) => name,
);

export function linkHostOf(name: SourceHostName): LinkHost {
  return LINK_HOSTS.find((host) => host.name === name)!;
}
