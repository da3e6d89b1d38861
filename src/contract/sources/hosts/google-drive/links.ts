import { isPlainHttps, type LinkHost, type SourceLink } from "../../link-host.ts";

const DOCUMENT_DOMAIN = "docs.google.com";
const DOMAINS = ["drive.google.com", DOCUMENT_DOMAIN];
const FILE_PATH = /\/d\/([A-Za-z0-9_-]+)(?:\/|$)/;
const FOLDER_PATH = /^\/drive\/(?:.+\/)?folders\/([A-Za-z0-9_-]+)\/?$/;
const FILE_ID = /^[A-Za-z0-9_-]+$/;
/** Has downloads, at `/download?id=`. */
const DOWNLOAD_DOMAIN = "drive.usercontent.google.com";

export const googleDriveLinks: LinkHost = {
  name: "google-drive",
  label: "Google Drive",
  uses: ["video", "music", "subtitles"],
  isOptional: false,
  domains: DOMAINS,
  parse(url) {
    if (!isPlainHttps(url) || !DOMAINS.includes(url.hostname)) return null;
    const idInQuery = url.pathname === "/open" ? url.searchParams.get("id") : null;
    const id = FILE_PATH.exec(url.pathname)?.[1] ?? (idInQuery && FILE_ID.test(idInQuery) ? idInQuery : null);
    return id === null ? null : { id, accessKey: resourceKeyOf(url) };
  },
  parseFolder(url) {
    const isDrive = isPlainHttps(url) && url.hostname === "drive.google.com";
    const id = isDrive ? FOLDER_PATH.exec(url.pathname)?.[1] : undefined;
    return id === undefined ? null : { id, accessKey: resourceKeyOf(url) };
  },
  explain(url) {
    const share = shareLinkOf(url);
    if (share !== null) return `this form of a Google Drive link is not accepted; use ${share}`;
    if (!DOMAINS.includes(url.hostname)) return null;
    return url.pathname.includes("/folders/")
      ? "this is a folder; add links to its files instead"
      : "this link doesn't point to a file";
  },
  isDocument: (url) =>
    url.hostname === DOCUMENT_DOMAIN && !url.pathname.startsWith("/file/") && url.pathname !== "/open",
  nameOf: ({ id }) => `Drive file ${id}`,
  addressOf,
};

function addressOf({ id, accessKey }: Pick<SourceLink, "id" | "accessKey">): string {
  const key = accessKey === null ? "" : `?resourcekey=${accessKey}`;
  return `https://drive.google.com/file/d/${id}/view${key}`;
}

/** Returns the accepted link to the file of another address, such as `/uc?export=download&id=`; null for others. */
function shareLinkOf(url: URL): string | null {
  if (![...DOMAINS, DOWNLOAD_DOMAIN].includes(url.hostname) || url.pathname.includes("folder")) return null;
  const id = FILE_PATH.exec(url.pathname)?.[1] ?? url.searchParams.get("id");
  return id !== null && FILE_ID.test(id) ? addressOf({ id, accessKey: resourceKeyOf(url) }) : null;
}

function resourceKeyOf(url: URL): string | null {
  const key = url.searchParams.get("resourcekey");
  return key !== null && FILE_ID.test(key) ? key : null;
}
