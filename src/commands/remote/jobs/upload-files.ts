import { openAsBlob } from "node:fs";
import path from "node:path";
import type { LibraryFile, UploadResponse } from "#contract/calls.ts";
import { ClipmillError } from "#contract/errors.ts";
import { sha256OfFile } from "#ground/checksum.ts";
import { listLibrary } from "#client/calls.ts";
import { explainResponse } from "../api/explain-error.ts";
import type { Session } from "../session.ts";
import type { LocalFile } from "./local-file.ts";

export type Uploaded = { file: LibraryFile; was: "new" | "kept" };

/** Returns hex checksums. Throws ClipmillError "invalid" for an unreadable file. */
export async function checksumFiles(files: readonly LocalFile[]): Promise<Map<LocalFile, string>> {
  const sums = new Map<LocalFile, string>();
  for (const file of files) {
    const sum = await sha256OfFile(file.path).catch((cause: unknown) => {
      throw new ClipmillError("invalid", `${file.path} cannot be read.`, { cause });
    });
    sums.set(file, sum);
  }
  return sums;
}

/** Uploads missing files sequentially. Returns the library's files by checksum. */
export async function uploadFiles(
  { api, terminal }: Session,
  sums: ReadonlyMap<LocalFile, string>,
  onFile: (local: LocalFile, uploaded: Uploaded) => void = () => {},
): Promise<Map<string, LibraryFile>> {
  const uploaded = new Map<string, LibraryFile>();
  if (sums.size === 0) return uploaded;
  const library = await listLibrary(api);
  const known = new Map(library.flatMap((file) => (file.sha256 ? [[file.sha256, file] as const] : [])));
  let done = 0;
  for (const [local, sum] of sums) {
    const present = uploaded.get(sum) ?? known.get(sum);
    const detail = `${done} of ${sums.size} files: ${path.basename(local.path)}`;
    if (!present) terminal.progress({ label: "Uploading", share: done / sums.size, detail });
    const result: Uploaded = present ? { file: present, was: "kept" } : await uploadFile({ api, terminal }, local);
    uploaded.set(sum, result.file);
    onFile(local, result);
    done += 1;
  }
  terminal.clear();
  return uploaded;
}

async function uploadFile({ api }: Pick<Session, "api" | "terminal">, local: LocalFile): Promise<Uploaded> {
  // Node's own fetch gives up after five minutes without a response, even while sending.
  const { Agent, fetch: send } = await import("undici");
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const query = new URLSearchParams({ name: path.basename(local.path), use: local.use });
  let text = "";
  try {
    const response = await api.send(
      async (signal) => {
        // Undici's types do not accept Node's Blob.
        const body = (await openAsBlob(local.path)) as unknown as string;
        const headers = api.authorization();
        const options = { method: "POST", headers, body, signal, dispatcher, redirect: "manual" } as const;
        const sent = await send(`${api.server}/uploads?${query}`, options);
        text = await sent.text();
        return new Response(null, { status: sent.status, headers: Object.fromEntries(sent.headers) });
      },
      // The library has each content once.
      { isRepeatable: true, timeoutMs: null },
    );
    if (!response.ok) {
      const error = explainResponse(response, text, { server: api.server, path: "/uploads" });
      throw new ClipmillError(error.code, `${path.basename(local.path)}: ${error.message}`, { cause: error });
    }
    const { data: file, isDuplicate } = JSON.parse(text) as UploadResponse;
    return { file, was: isDuplicate ? "kept" : "new" };
  } finally {
    await dispatcher.destroy();
  }
}
