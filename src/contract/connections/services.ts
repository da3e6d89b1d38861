import type { SourceService } from "../sources/source-host.ts";

/** www.dropbox.com/developers/documentation/http/documentation */
export const DROPBOX_API = { variable: "DROPBOX_API_BASE_URL", defaultUrl: "https://api.dropboxapi.com" };
export const DROPBOX_CONTENT = { variable: "DROPBOX_CONTENT_BASE_URL", defaultUrl: "https://content.dropboxapi.com" };
export const GOOGLE_OAUTH = { variable: "GOOGLE_OAUTH_BASE_URL", defaultUrl: "https://oauth2.googleapis.com" };

/** Postiz Cloud (docs.postiz.com/public-api/introduction); other connections have an address. */
export const POSTIZ = "https://api.postiz.com";

export const CONNECTION_SERVICES: readonly SourceService[] = [DROPBOX_API, DROPBOX_CONTENT, GOOGLE_OAUTH];
