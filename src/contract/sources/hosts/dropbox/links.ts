import { lastPartOf } from "../../direct-download.ts";
import { isPlainHttps, type LinkHost, type SourceLink } from "../../link-host.ts";
import { isMediaName } from "../../media-names.ts";

const DOMAINS = ["www.dropbox.com", "dropbox.com", "dl.dropbox.com", "dl.dropboxusercontent.com"];
/** `/scl/fi/<id>/<name>` with `rlkey`, or the older `/s/<id>/<name>`; `dl` and `raw` are download steps. */
const FILE_PATH = /^\/(?:scl\/fi\/[\w-]+\/[^/]+|s\/(?:(?:dl|raw)\/)?[\w-]+(?:\/[^/]+)?)$/;
/** `/scl/fo/<id>/<key>` with `rlkey`, or the older `/sh/<id>/<key>`; then a path in the folder. */
const FOLDER_PATH = /^\/((?:scl\/fo|sh)\/[\w-]+\/[\w-]+)((?:\/[^/]+)*)\/?$/;
const ANY_FOLDER = /^\/(?:scl\/fo|sh)\//;
const LINK_KEY = /^[\w-]+$/;

type Id = Pick<SourceLink, "id" | "accessKey">;

/** `id` is the address's path, which for a file in a folder begins with the folder's. */
export const dropboxLinks: LinkHost = {
  name: "dropbox",
  label: "Dropbox",
  uses: ["video", "music", "subtitles"],
  isOptional: true,
  settingsText: "Files shared with a Dropbox link. Shared folders require a connection.",
  domains: DOMAINS,
  parse(url) {
    if (!isDropbox(url)) return null;
    if (FILE_PATH.test(url.pathname)) {
      return { id: url.pathname.slice(1).replace(/^s\/(?:dl|raw)\//, "s/"), accessKey: linkKeyOf(url) };
    }
    const found = readFolderPath(url);
    return found && isMediaName(found.name) ? found.id : null;
  },
  parseFolder(url) {
    const found = isDropbox(url) ? readFolderPath(url) : null;
    return found && !isMediaName(found.name) ? found.id : null;
  },
  explain(url) {
    if (!DOMAINS.includes(url.hostname)) return null;
    return ANY_FOLDER.test(url.pathname)
      ? "this is a Dropbox folder; add links to its files instead"
      : "this link doesn't point to a shared file; in Dropbox, use Copy link";
  },
  nameOf: ({ id }) => lastPartOf(id)!,
  addressOf: (link) => addressOf(link),
};

/** Returns null for other links. */
export function placeInFolder({ id, accessKey }: SourceLink): { url: string; path: string } | null {
  const [, folder, rest] = FOLDER_PATH.exec(`/${id}`) ?? [];
  if (folder === undefined || rest === undefined) return null;
  return { url: addressOf({ id: folder, accessKey }), path: decodePath(rest) ?? "" };
}

/** No character of the name ends a link in a list. */
export function linkInFolder({ id, accessKey }: SourceLink, name: string): string {
  return addressOf({ id: `${id}/${encodeURIComponent(name)}`, accessKey });
}

function addressOf({ id, accessKey }: Id): string {
  return `https://www.dropbox.com/${id}${accessKey === null ? "" : `?rlkey=${accessKey}`}`;
}

function isDropbox(url: URL): boolean {
  return isPlainHttps(url) && DOMAINS.includes(url.hostname);
}

function linkKeyOf(url: URL): string | null {
  const key = url.searchParams.get("rlkey");
  return key !== null && LINK_KEY.test(key) ? key : null;
}

/** `id` is the same for all spellings; `name` is "" for the folder itself. A preview shows one file of the folder. */
function readFolderPath(url: URL): { id: Id; name: string } | null {
  const [, folder, rest] = FOLDER_PATH.exec(url.pathname) ?? [];
  const path = rest === undefined ? null : decodePath(rest);
  if (folder === undefined || path === null) return null;
  const preview = url.searchParams.get("preview");
  const names = [...path.split("/"), ...(preview !== null && !preview.includes("/") ? [preview] : [])].filter(
    (name) => name !== "",
  );
  const id = [folder, ...names.map((name) => encodeURIComponent(name))].join("/");
  return { id: { id, accessKey: linkKeyOf(url) }, name: names.at(-1) ?? "" };
}

/** Returns null for an encoded slash or invalid encoding. */
function decodePath(path: string): string | null {
  try {
    const names = path.split("/").map((name) => decodeURIComponent(name));
    return names.some((name) => name.includes("/")) ? null : names.join("/");
  } catch {
    return null;
  }
}
