import { isPlainHttps, type LinkHost } from "../../link-host.ts";

const DOCUMENT_DOMAIN = "docs.google.com";
const DOMAINS = ["drive.google.com", DOCUMENT_DOMAIN];
const FILE_PATH = /\/d\/([A-Za-z0-9_-]+)(?:\/|$)/;
const FILE_ID = /^[A-Za-z0-9_-]+$/;

export const googleDriveLinks: LinkHost = {
  name: "google-drive",
  label: "Google Drive",
  uses: ["video", "music"],
  isOptional: false,
  domains: DOMAINS,
  parse(url) {
    if (!isPlainHttps(url) || !DOMAINS.includes(url.hostname)) return null;
    const idInQuery = url.pathname === "/open" ? url.searchParams.get("id") : null;
    const id = FILE_PATH.exec(url.pathname)?.[1] ?? (idInQuery && FILE_ID.test(idInQuery) ? idInQuery : null);
    const resourceKey = url.searchParams.get("resourcekey");
    return id === null ? null : { id, accessKey: resourceKey && FILE_ID.test(resourceKey) ? resourceKey : null };
  },
  explain(url) {
    if (!DOMAINS.includes(url.hostname)) return null;
    return url.pathname.includes("/folders/")
      ? "this is a folder; add links to its files instead"
      : "this link doesn't point to a file";
  },
  isDocument: (url) =>
    url.hostname === DOCUMENT_DOMAIN && !url.pathname.startsWith("/file/") && url.pathname !== "/open",
  nameOf: ({ id }) => `Drive file ${id}`,
  addressOf({ id, accessKey }) {
    const key = accessKey === null ? "" : `?resourcekey=${accessKey}`;
    return `https://drive.google.com/file/d/${id}/view${key}`;
  },
};
