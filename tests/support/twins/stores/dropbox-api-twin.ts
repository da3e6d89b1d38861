/**
 * A local twin of Dropbox's API: tokens, folders, files and upload sessions. Behaves as documented at
 * www.dropbox.com/developers/documentation/http/documentation (read 2026-11-23): endpoint errors are 409 with
 * "error_summary", rejected tokens 401, limits 429 with Retry-After.
 */
import type { ServerResponse } from "node:http";
import { createDigest } from "#integrations/remote-stores/checksums.ts";
import { sendBytes, sendJson, startTwinServer, type TwinCall, type TwinServer } from "./twin-server.ts";

type Entry = { id: string; path: string; bytes: Buffer | null; modifiedAt: string };

export type DropboxApiTwin = TwinServer & {
  environment: { DROPBOX_API_BASE_URL: string; DROPBOX_CONTENT_BASE_URL: string };
  fields: { kind: "dropbox"; app_key: string; app_secret: string; refresh_token: string };
  /** Folders are null. */
  read(): Record<string, Buffer | null>;
  add(path: string, bytes: Buffer | null): void;
  expireTokens(): void;
  dropSessions(): void;
  sentBytes(): number;
  /** Handles other endpoints; returns true if it did. */
  more: ((call: TwinCall, input: Record<string, unknown>, response: ServerResponse) => boolean) | null;
};

const APP = { app_key: "app-key", app_secret: "app-secret" };
const REFRESH_TOKEN = "refresh-token-of-the-account";
const PER_PAGE = 100;

export async function startDropboxApiTwin(): Promise<DropboxApiTwin> {
  const entries = new Map<string, Entry>();
  const sessions = new Map<string, Buffer>();
  const cursors = new Map<string, Entry[]>();
  const tokens = new Set<string>();
  let count = 0;
  let sent = 0;
  const server = await startTwinServer((call, response) => {
    if (call.path === "/oauth2/token") return serveToken(new URLSearchParams(call.body.toString()), response);
    const token = /^Bearer (.+)$/.exec(call.headers.authorization ?? "")?.[1];
    if (token === undefined || !tokens.has(token)) {
      return sendJson(response, 401, {
        error_summary: "expired_access_token/...",
        error: { ".tag": "expired_access_token" },
      });
    }
    const inHeader = call.headers["dropbox-api-arg"];
    const text = typeof inHeader === "string" ? inHeader : (call.query.get("arg") ?? call.body.toString());
    const input = (JSON.parse(text) ?? {}) as Record<string, unknown>;
    if (twin.more?.(call, input, response)) return;
    handle(call, input, response);
  });

  function serveToken(form: URLSearchParams, response: ServerResponse): void {
    const isApp = form.get("client_id") === APP.app_key && form.get("client_secret") === APP.app_secret;
    if (!isApp) return sendJson(response, 400, { error: "invalid_client: Invalid client_id or client_secret" });
    if (form.get("refresh_token") !== REFRESH_TOKEN) {
      return sendJson(response, 400, {
        error: "invalid_grant",
        error_description: "refresh token is invalid or revoked",
      });
    }
    const token = `sl.${(count += 1)}`;
    tokens.add(token);
    sendJson(response, 200, { access_token: token, token_type: "bearer", expires_in: 14_400 });
  }

  function find(path: unknown): Entry | undefined {
    return typeof path === "string" && path.startsWith("id:")
      ? [...entries.values()].find(({ id }) => id === path)
      : entries.get(String(path).toLowerCase());
  }

  function put(path: string, bytes: Buffer | null): Entry {
    const old = entries.get(path.toLowerCase());
    const entry = { id: old?.id ?? `id:${(count += 1)}`, path, bytes, modifiedAt: "2026-11-23T10:00:00Z" };
    entries.set(path.toLowerCase(), entry);
    return entry;
  }

  function sendPage(response: ServerResponse, rest: Entry[]): void {
    const cursor = `cursor-${(count += 1)}`;
    cursors.set(cursor, rest.slice(PER_PAGE));
    sendJson(response, 200, {
      entries: rest.slice(0, PER_PAGE).map(describe),
      cursor,
      has_more: rest.length > PER_PAGE,
    });
  }

  function handle(call: TwinCall, input: Record<string, unknown>, response: ServerResponse): void {
    const path = textOf(input["path"]);
    switch (call.path.replace("/2/", "")) {
      case "users/get_current_account":
        return sendJson(response, 200, { name: { display_name: "An Operator" }, email: "operator@example.com" });
      case "files/list_folder": {
        if (path !== "" && find(path)?.bytes !== null) return sendError(response, "path/not_found");
        return sendPage(
          response,
          [...entries.values()].filter((entry) => folderOf(entry.path) === path.toLowerCase()),
        );
      }
      case "files/list_folder/continue":
        return sendPage(response, cursors.get(String(input["cursor"])) ?? []);
      case "files/get_metadata": {
        const entry = find(path);
        return entry ? sendJson(response, 200, describe(entry)) : sendError(response, "path/not_found");
      }
      case "files/create_folder_v2": {
        if (find(path))
          return sendError(response, find(path)!.bytes === null ? "path/conflict/folder" : "path/conflict/file");
        return sendJson(response, 200, { metadata: describe(put(path, null)) });
      }
      case "files/delete_v2":
      case "files/move_v2": {
        const entry = find(input["from_path"] ?? path);
        if (!entry)
          return sendError(response, call.path.endsWith("move_v2") ? "from_lookup/not_found" : "path_lookup/not_found");
        entries.delete(entry.path.toLowerCase());
        const to = input["to_path"];
        if (typeof to === "string") entries.set(to.toLowerCase(), { ...entry, path: to });
        return sendJson(response, 200, { metadata: describe({ ...entry, path: textOf(to, entry.path) }) });
      }
      case "files/download": {
        const entry = find(path);
        return entry?.bytes
          ? sendBytes(response, entry.bytes, call.headers.range)
          : sendError(response, "path/not_found");
      }
      case "files/upload_session/start": {
        const session = `session-${(count += 1)}`;
        sessions.set(session, Buffer.from(call.body));
        return sendJson(response, 200, { session_id: session });
      }
      case "files/upload_session/append_v2":
      case "files/upload_session/finish": {
        const { session_id: session, offset } = input["cursor"] as { session_id: string; offset: number };
        const held = sessions.get(session);
        const isEnd = call.path.endsWith("finish");
        const prefix = isEnd ? "lookup_failed/" : "";
        if (!held) return sendError(response, `${prefix}not_found`);
        if (held.length !== offset) {
          const offset = { ".tag": "incorrect_offset", correct_offset: held.length };
          return sendError(response, `${prefix}incorrect_offset`, isEnd ? { lookup_failed: offset } : offset);
        }
        const bytes = Buffer.concat([held, call.body]);
        sent += call.body.length;
        sessions.set(session, bytes);
        if (!isEnd) return sendJson(response, 200, null);
        sessions.delete(session);
        const { ".tag": _, ...file } = describe(put((input["commit"] as { path: string }).path, bytes));
        return sendJson(response, 200, file);
      }
      default:
        response.writeHead(400).end("Unknown endpoint");
    }
  }

  const twin: DropboxApiTwin = {
    ...server,
    environment: { DROPBOX_API_BASE_URL: server.url, DROPBOX_CONTENT_BASE_URL: server.url },
    fields: { kind: "dropbox", ...APP, refresh_token: REFRESH_TOKEN },
    read: () => Object.fromEntries([...entries.values()].map(({ path, bytes }) => [path, bytes])),
    add: (path, bytes) => void put(path, bytes),
    expireTokens: () => tokens.clear(),
    dropSessions: () => sessions.clear(),
    sentBytes: () => sent,
    more: null,
  };
  return twin;
}

function sendError(response: ServerResponse, summary: string, error: object = {}): void {
  sendJson(response, 409, { error_summary: `${summary}/..`, error: { ".tag": summary.split("/")[0], ...error } });
}

function textOf(value: unknown, other = ""): string {
  return typeof value === "string" ? value : other;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")).toLowerCase();
}

function describe({ id, path, bytes, modifiedAt }: Entry) {
  const shared = {
    name: path.slice(path.lastIndexOf("/") + 1),
    path_lower: path.toLowerCase(),
    path_display: path,
    id,
  };
  return bytes === null
    ? { ".tag": "folder", ...shared }
    : {
        ".tag": "file",
        ...shared,
        size: bytes.length,
        server_modified: modifiedAt,
        rev: "1",
        content_hash: hashOf(bytes),
      };
}

function hashOf(bytes: Buffer): string {
  const digest = createDigest("dropbox");
  digest.update(bytes);
  return digest.end().value;
}
