import { explainDriveRefusal } from "#contract/connections/drive-refusals.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { SourceAnswer } from "#contract/sources/source-host.ts";
import { readChunks } from "../read-chunks.ts";
import type { RemoteEntry, UploadSource } from "../remote-store.ts";
import { parseJsonAnswer } from "../service-answer.ts";
import type { DriveAccount } from "./drive-account.ts";
import { ENTRY_FIELDS, entrySchema, toEntry } from "./drive-entries.ts";

/** Must be a multiple of 256 KiB. */
const CHUNK_BYTES = 8 * 1024 * 1024;
const MAX_RESTARTS = 3;
/** Sessions expire after a week. */
const LOST = new Set([404, 410]);

type Target = { folder: string; name: string; existing: RemoteEntry | null };

/**
 * Replaces `existing` (developers.google.com/workspace/drive/api/guides/manage-uploads#resumable, read 2026-11-23). The
 * checkpoint is the session's URL; `name` is the connection's.
 */
export async function uploadToDrive(
  { account, name: connection }: { account: DriveAccount; name: string },
  target: Target,
  source: UploadSource,
): Promise<RemoteEntry> {
  let session = source.checkpoint ?? (await startSession());
  let found = source.checkpoint === null ? 0 : await askOffset();
  for (let restarts = 0; restarts <= MAX_RESTARTS; restarts += 1) {
    if (typeof found === "object") return found;
    if (found === "lost") {
      session = await startSession();
      found = 0;
    }
    found = await append(found);
  }
  throw new ClipmillError("incomplete", "Google Drive lost a part of this upload. Retry later.");

  async function startSession(): Promise<string> {
    const { folder, name, existing } = target;
    const path = existing ? `/upload/drive/v3/files/${encodeURIComponent(existing.id)}` : "/upload/drive/v3/files";
    const answer = await account.request(
      path,
      { uploadType: "resumable", fields: ENTRY_FIELDS },
      {
        method: existing ? "PATCH" : "POST",
        json: existing ? {} : { name, parents: [folder] },
        headers: { "x-upload-content-length": String(source.sizeBytes) },
      },
    );
    const body = await answer.text();
    const { location } = answer.headers;
    if (answer.status !== 200 || location === undefined) throw explainDriveRefusal(answer, body, connection);
    await source.onCheckpoint(location);
    return location;
  }

  /** Returns the file if complete, or the number of bytes received. */
  async function askOffset(): Promise<RemoteEntry | number | "lost"> {
    return await put(new Uint8Array(), `bytes */${source.sizeBytes}`);
  }

  async function append(start: number): Promise<RemoteEntry | number | "lost"> {
    if (source.sizeBytes === 0) return await put(new Uint8Array(), "bytes */0");
    const stream = source.read(start);
    let offset = start;
    try {
      for await (const chunk of readChunks(stream, CHUNK_BYTES)) {
        const end = offset + chunk.length;
        const reached = await put(chunk, `bytes ${offset}-${end - 1}/${source.sizeBytes}`);
        if (reached !== end) return reached;
        offset = end;
      }
    } finally {
      stream.destroy();
    }
    throw new ClipmillError("incomplete", "The file changed while it was being uploaded.");
  }

  async function put(content: Uint8Array, range: string): Promise<RemoteEntry | number | "lost"> {
    const answer = await account.request(session, {}, { method: "PUT", content, headers: { "content-range": range } });
    const body = await answer.text();
    if (answer.status === 200 || answer.status === 201)
      return toEntry(parseJsonAnswer(body, entrySchema, "Google Drive"));
    if (answer.status === 308) return receivedBytes(answer);
    if (LOST.has(answer.status)) return "lost";
    throw explainDriveRefusal(answer, body, connection);
  }
}

/** Without a range, no byte has arrived. */
function receivedBytes({ headers }: SourceAnswer): number {
  const last = /^bytes=0-(\d{1,15})$/.exec(headers["range"] ?? "")?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}
