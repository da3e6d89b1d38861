/**
 * Shared folders of the twin of Dropbox's API. Documented at
 * www.dropbox.com/developers/documentation/http/documentation#files-list_folder (`shared_link`) and
 * #sharing-get_shared_link_file, with the errors of dropbox.github.io/dropbox-sdk-dotnet, GetSharedLinkFileError.
 * Entries have neither `path_lower` nor `path_display` (github.com/Jesus/dropbox_api/issues/50). All read 2026-11-23.
 */
import type { ServerResponse } from "node:http";
import type { DropboxApiTwin } from "./dropbox-api-twin.ts";
import { sendBytes, sendJson, type TwinCall } from "./twin-server.ts";

export type SharedFolderBehavior =
  | "normal"
  | "removed"
  | "expired"
  | "private"
  | "restricted"
  | "garbage"
  | "hangs"
  | "redirects"
  /** Cuts the first download in the middle. */
  | "cutsOnce"
  /** Announces a length that is 10 bytes too large, then cuts the connection. */
  | "lies"
  | "endless";

const PER_PAGE = 100;

/** Returns a function that shares a folder's files by path (null for a folder) and returns its link. */
export function addSharedFolders(twin: DropboxApiTwin) {
  const shared = new Map<string, { files: Map<string, Buffer | null>; behavior: SharedFolderBehavior }>();
  const cursors = new Map<string, { url: string; names: string[] }>();
  let count = 0;

  twin.more = (call, input, response) => {
    const link = (input["shared_link"] as { url?: string } | undefined)?.url;
    const known = cursors.get(String(input["cursor"]));
    if (call.path === "/2/sharing/get_shared_link_file") {
      serveFile(call, { url: String(input["url"]), path: String(input["path"]) }, response);
    } else if (call.path === "/2/files/list_folder" && link !== undefined) {
      serveList(link, typeof input["path"] === "string" ? input["path"] : "", response);
    } else if (call.path === "/2/files/list_folder/continue" && known) {
      sendPage(known.url, known.names, response);
    } else return false;
    return true;
  };

  function serveList(url: string, path: string, response: ServerResponse): void {
    const folder = shared.get(url);
    if (!folder || folder.behavior === "removed") return sendError(response, "path/not_found");
    if (serveBadly(folder.behavior, response)) return;
    const names = [...folder.files.keys()].filter((name) => name.slice(0, name.lastIndexOf("/")) === path);
    if (names.length === 0 && path !== "") return sendError(response, "path/not_found");
    sendPage(url, names, response);
  }

  function sendPage(url: string, names: string[], response: ServerResponse): void {
    const { files, behavior } = shared.get(url)!;
    const cursor = `shared-${(count += 1)}`;
    const rest = behavior === "endless" ? names : names.slice(PER_PAGE);
    cursors.set(cursor, { url, names: rest });
    const entries = names.slice(0, PER_PAGE).map((path) => {
      const bytes = files.get(path)!;
      const name = path.slice(path.lastIndexOf("/") + 1);
      return bytes === null
        ? { ".tag": "folder", name, id: `id:${name}` }
        : { ".tag": "file", name, id: `id:${name}`, size: bytes.length, rev: "1", is_downloadable: true };
    });
    sendJson(response, 200, { entries, cursor, has_more: rest.length > 0 });
  }

  function serveFile(call: TwinCall, { url, path }: { url: string; path: string }, response: ServerResponse): void {
    const folder = shared.get(url);
    const bytes = folder?.files.get(path);
    if (!folder || folder.behavior === "removed" || bytes === undefined)
      return sendError(response, "shared_link_not_found");
    if (bytes === null) return sendError(response, "shared_link_is_directory");
    if (serveBadly(folder.behavior, response)) return;
    const headers = { etag: 'W/"1"', "last-modified": "Mon, 23 Nov 2026 10:00:00 GMT" };
    if (folder.behavior === "lies") {
      response.writeHead(200, { ...headers, "content-length": String(bytes.length + 10) });
      response.write(bytes);
      setImmediate(() => response.destroy());
    } else if (folder.behavior === "cutsOnce" && call.headers.range === undefined) {
      response.writeHead(200, { ...headers, "content-length": String(bytes.length) });
      response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
    } else sendBytes(response, bytes, call.headers.range, headers);
  }

  function serveBadly(behavior: SharedFolderBehavior, response: ServerResponse): boolean {
    if (behavior === "expired") sendError(response, "shared_link_not_found");
    else if (behavior === "private") sendError(response, "shared_link_access_denied");
    else if (behavior === "restricted") sendError(response, "restricted_content");
    else if (behavior === "garbage") response.writeHead(200, { "content-type": "text/html" }).end("<html>");
    else if (behavior === "redirects") response.writeHead(302, { location: "http://127.0.0.1:9/inside" }).end();
    else return behavior === "hangs";
    return true;
  }

  return (
    id: string,
    files: Record<string, Buffer | null>,
    { behavior = "normal", key = "k3y" }: { behavior?: SharedFolderBehavior; key?: string } = {},
  ): string => {
    const url = `https://www.dropbox.com/scl/fo/${id}/AAfolder?rlkey=${key}`;
    shared.set(url, { files: new Map(Object.entries(files)), behavior });
    return url;
  };
}

function sendError(response: ServerResponse, summary: string): void {
  sendJson(response, 409, { error_summary: `${summary}/...`, error: { ".tag": summary.split("/")[0] } });
}
