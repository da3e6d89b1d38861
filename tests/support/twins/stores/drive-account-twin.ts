/**
 * A local twin of Google Drive for a service account: tokens for signed assertions
 * (developers.google.com/identity/protocols/oauth2/service-account), files and resumable uploads
 * (developers.google.com/workspace/drive/api/guides/manage-uploads#resumable). All read 2026-11-23.
 */
import { createHash, generateKeyPairSync } from "node:crypto";
import type { ServerResponse } from "node:http";
import { jwtVerify } from "jose";
import { sendBytes, sendJson, startTwinServer, type TwinCall, type TwinServer } from "./twin-server.ts";

type File = {
  id: string;
  name: string;
  mimeType: string;
  parents: string[];
  bytes: Buffer | null;
  way?: "rejected" | "torn";
};
type Session = { target: Partial<File>; id: string | null; size: number; bytes: Buffer };

export type DriveAccountTwin = TwinServer & {
  environment: { GOOGLE_API_BASE_URL: string; GOOGLE_OAUTH_BASE_URL: string };
  fields: { kind: "drive"; service_account_key: string };
  /** Folders are null. */
  read(): Record<string, Buffer | null>;
  add(name: string, bytes: Buffer | null, parent?: string): string;
  /** Adds or replaces a file. A `rejected` one cannot be read; reads of a `torn` one return other bytes. */
  put(name: string, bytes: Buffer, parent: string, way?: "rejected" | "torn"): void;
  rename(id: string, name: string): void;
  expireTokens(): void;
  dropSessions(): void;
  sentBytes(): number;
};

const EMAIL = "robot@project.iam.gserviceaccount.com";
const FOLDER = "application/vnd.google-apps.folder";
const PER_PAGE = 100;
/** Shared by all twins, because generating it takes time. */
const KEYS = generateKeyPairSync("rsa", { modulusLength: 2048 });

export async function startDriveAccountTwin(): Promise<DriveAccountTwin> {
  const files = new Map<string, File>();
  const sessions = new Map<string, Session>();
  const tokens = new Set<string>();
  let count = 0;
  let sent = 0;

  const server = await startTwinServer(async (call, response) => {
    if (call.path === "/token") return await serveToken(new URLSearchParams(call.body.toString()), response);
    if (!tokens.has(/^Bearer (.+)$/.exec(call.headers.authorization ?? "")?.[1] ?? ""))
      return sendError(response, 401, "authError");
    if (call.path === "/drive/v3/about") return sendJson(response, 200, { user: { emailAddress: EMAIL } });
    if (call.path.startsWith("/upload/drive/v3/files")) return serveUpload(call, response);
    if (call.path === "/drive/v3/files")
      return call.method === "POST" ? create(call, response) : search(call, response);
    serveFile(call, response);
  });

  async function serveToken(form: URLSearchParams, response: ServerResponse): Promise<void> {
    try {
      const { payload } = await jwtVerify(form.get("assertion") ?? "", KEYS.publicKey, {
        audience: "https://oauth2.googleapis.com/token",
        issuer: EMAIL,
      });
      if (payload["scope"] !== "https://www.googleapis.com/auth/drive") throw new Error("scope");
    } catch {
      return sendJson(response, 400, { error: "invalid_grant", error_description: "Invalid JWT Signature." });
    }
    const token = `ya29.${(count += 1)}`;
    tokens.add(token);
    sendJson(response, 200, { access_token: token, expires_in: 3599, token_type: "Bearer" });
  }

  function put(file: Partial<File>): File {
    const id = file.id ?? `file-${(count += 1)}`;
    const known = files.get(id) ?? {
      id,
      name: "",
      mimeType: "application/octet-stream",
      parents: ["root"],
      bytes: null,
    };
    const changed = { ...known, ...file, id };
    files.set(id, changed);
    return changed;
  }

  function create({ body }: TwinCall, response: ServerResponse): void {
    sendJson(response, 200, describe(put(JSON.parse(body.toString()) as Partial<File>)));
  }

  function search({ query }: TwinCall, response: ServerResponse): void {
    const condition = query.get("q") ?? "";
    const parent = unquote(/^'((?:\\.|[^'\\])*)' in parents/.exec(condition)?.[1] ?? "");
    const name = /name = '((?:\\.|[^'\\])*)'/.exec(condition)?.[1];
    const isFolder = parent === "root" || files.get(parent)?.mimeType === FOLDER;
    if (!isFolder) return sendError(response, 404, "notFound");
    const found = [...files.values()].filter(
      (file) => file.parents.includes(parent) && (name === undefined || file.name === unquote(name)),
    );
    const start = Number(query.get("pageToken") ?? 0);
    const next = start + PER_PAGE;
    sendJson(response, 200, {
      files: found.slice(start, next).map(describe),
      ...(next < found.length && { nextPageToken: String(next) }),
    });
  }

  function serveFile({ path, method, query, headers, body }: TwinCall, response: ServerResponse): void {
    const file = files.get(decodeURIComponent(path.replace("/drive/v3/files/", "")));
    if (!file) return sendError(response, 404, "notFound");
    if (method === "DELETE") {
      files.delete(file.id);
      response.writeHead(204).end();
    } else if (method === "PATCH") {
      sendJson(response, 200, describe(put({ ...(JSON.parse(body.toString()) as Partial<File>), id: file.id })));
    } else if (query.get("alt") === "media") {
      if (file.way === "torn") sendBytes(response, Buffer.from(file.bytes!.toString().toUpperCase()), headers.range);
      else if (file.bytes && !file.way) sendBytes(response, file.bytes, headers.range);
      else sendError(response, 403, "fileNotDownloadable");
    } else sendJson(response, 200, describe(file));
  }

  function serveUpload({ path, method, query, headers, body }: TwinCall, response: ServerResponse): void {
    const sessionId = query.get("upload_id");
    if (sessionId === null) {
      const id = /^\/upload\/drive\/v3\/files\/([^/]+)$/.exec(path)?.[1] ?? null;
      const isNew = method === "POST";
      if (isNew !== (id === null) || (id !== null && !files.has(id))) return sendError(response, 404, "notFound");
      const target = JSON.parse(body.toString()) as Partial<File>;
      const session = `upload-${(count += 1)}`;
      sessions.set(session, { target, id, size: Number(headers["x-upload-content-length"]), bytes: Buffer.alloc(0) });
      response
        .writeHead(200, { location: `${server.url}/upload/drive/v3/files?uploadType=resumable&upload_id=${session}` })
        .end();
      return;
    }
    const session = sessions.get(sessionId);
    if (!session) return sendError(response, 404, "notFound");
    const range = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+)$/.exec(String(headers["content-range"]));
    // Repeated bytes are accepted; a gap is not.
    const start = range?.[1] === undefined ? session.bytes.length : Number(range[1]);
    if (!range || Number(range[3]) !== session.size || start > session.bytes.length)
      return sendError(response, 400, "badRequest");
    session.bytes = Buffer.concat([session.bytes.subarray(0, start), body]);
    sent += body.length;
    if (session.bytes.length < session.size) {
      const held = session.bytes.length;
      response.writeHead(308, held > 0 ? { range: `bytes=0-${held - 1}` } : {}).end();
      return;
    }
    // The session stays, and continues to return its file.
    const file = put({ ...session.target, ...(session.id !== null && { id: session.id }), bytes: session.bytes });
    session.id = file.id;
    sendJson(response, 200, describe(file));
  }

  return {
    ...server,
    environment: { GOOGLE_API_BASE_URL: server.url, GOOGLE_OAUTH_BASE_URL: server.url },
    fields: { kind: "drive", service_account_key: driveKeyOf(EMAIL) },
    read: () => Object.fromEntries([...files.values()].map(({ name, bytes }) => [name, bytes])),
    add: (name, bytes, parent = "root") =>
      put({ name, bytes, parents: [parent], mimeType: bytes === null ? FOLDER : "video/mp4" }).id,
    put(name, bytes, parent, way) {
      const known = [...files.values()].find((file) => file.name === name && file.parents.includes(parent));
      put({ ...known, name, bytes, parents: [parent], mimeType: typeOf(name), ...(way && { way }) });
    },
    rename: (id, name) => void put({ id, name }),
    expireTokens: () => tokens.clear(),
    dropSessions: () => sessions.clear(),
    sentBytes: () => sent,
  };
}

function sendError(response: ServerResponse, status: number, reason: string): void {
  sendJson(response, status, { error: { code: status, message: reason, errors: [{ domain: "global", reason }] } });
}

function typeOf(name: string): string {
  return name.endsWith(".txt") ? "text/plain" : "video/mp4";
}

/** Returns a JSON key in Google Cloud's format. Clients must ignore its token address. */
export function driveKeyOf(email: string): string {
  return JSON.stringify({
    type: "service_account",
    project_id: "project",
    private_key_id: "0123456789abcdef0123456789abcdef01234567",
    private_key: KEYS.privateKey.export({ type: "pkcs8", format: "pem" }),
    client_email: email,
    token_uri: "https://evil.example/token",
  });
}

function describe({ id, name, mimeType, bytes }: File) {
  const facts = { id, name, mimeType, modifiedTime: "2026-11-23T10:00:00.000Z" };
  if (bytes === null) return facts;
  const digest = (algorithm: string) => createHash(algorithm).update(bytes).digest("hex");
  return { ...facts, size: String(bytes.length), md5Checksum: digest("md5"), sha256Checksum: digest("sha256") };
}

function unquote(text: string): string {
  return text.replaceAll(/\\(.)/g, "$1");
}
