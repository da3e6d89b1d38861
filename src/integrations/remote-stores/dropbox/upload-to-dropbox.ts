import { z } from "zod";
import { explainDropboxRefusal } from "#contract/connections/dropbox-refusals.ts";
import { ClipmillError } from "#contract/errors.ts";
import { readChunks } from "../read-chunks.ts";
import type { RemoteEntry, UploadSource } from "../remote-store.ts";
import { parseJsonAnswer } from "../service-answer.ts";
import type { DropboxAccount } from "./dropbox-account.ts";
import { entrySchema, sessionSchema, toEntry } from "./dropbox-entries.ts";

/** Dropbox advises a multiple of 4 MiB. */
const CHUNK_BYTES = 8 * 1024 * 1024;

const checkpointSchema = z.object({ sessionId: z.string(), offset: z.int().min(0) });
type Checkpoint = z.output<typeof checkpointSchema>;

const MAX_RESTARTS = 3;

/**
 * Uploads in sessions (www.dropbox.com/developers/documentation/http/documentation#files-upload_session-start). `name`
 * is the connection's.
 */
export async function uploadToDropbox(
  { account, name }: { account: DropboxAccount; name: string },
  path: string,
  source: UploadSource,
): Promise<RemoteEntry> {
  let at = readCheckpoint(source.checkpoint) ?? (await startSession());
  for (let restarts = 0; restarts <= MAX_RESTARTS; restarts += 1) {
    const found = (await append(at)) ?? (await finish(at));
    if (typeof found === "object") return found;
    at = found === "lost" ? await startSession() : { ...at, offset: found };
  }
  throw new ClipmillError("incomplete", "Dropbox lost a part of this upload. Retry later.");

  async function startSession(): Promise<Checkpoint> {
    const answer = await account.send("files/upload_session/start", { close: false }, new Uint8Array());
    const body = await answer.text();
    if (answer.status !== 200) throw explainDropboxRefusal(answer, body, name);
    const { session_id: sessionId } = parseJsonAnswer(body, sessionSchema, "Dropbox");
    await source.onCheckpoint(JSON.stringify({ sessionId, offset: 0 }));
    return { sessionId, offset: 0 };
  }

  /** Returns null after the last byte, or the session's actual offset. */
  async function append({ sessionId, offset: start }: Checkpoint): Promise<number | "lost" | null> {
    let offset = start;
    if (offset >= source.sizeBytes) return offset === source.sizeBytes ? null : "lost";
    const stream = source.read(offset);
    try {
      for await (const chunk of readChunks(stream, CHUNK_BYTES)) {
        const cursor = { session_id: sessionId, offset };
        const answer = await account.send("files/upload_session/append_v2", { cursor, close: false }, chunk);
        const body = await answer.text();
        if (answer.status === 409 && isLost(body)) return offsetOf(body);
        if (answer.status !== 200) throw explainDropboxRefusal(answer, body, name);
        offset += chunk.length;
        await source.onCheckpoint(JSON.stringify({ sessionId, offset }));
      }
    } finally {
      stream.destroy();
    }
    if (offset !== source.sizeBytes)
      throw new ClipmillError("incomplete", "The file changed while it was being uploaded.");
    return null;
  }

  async function finish({ sessionId }: Checkpoint): Promise<RemoteEntry | number | "lost"> {
    const cursor = { session_id: sessionId, offset: source.sizeBytes };
    const commit = { path, mode: "overwrite", autorename: false, mute: true };
    const answer = await account.send("files/upload_session/finish", { cursor, commit }, new Uint8Array());
    const body = await answer.text();
    if (answer.status === 409 && isLost(body)) return offsetOf(body);
    if (answer.status !== 200) throw explainDropboxRefusal(answer, body, name);
    return toEntry({ ...parseJsonAnswer(body, entrySchema.omit({ ".tag": true }), "Dropbox"), ".tag": "file" });
  }
}

/** Sessions expire after a week. */
function isLost(body: string): boolean {
  return /"error_summary"\s*:\s*"(?:lookup_failed\/)?(?:not_found|closed|incorrect_offset|not_closed)\//.test(body);
}

/** "incorrect_offset" has its offset beside the tag or inside lookup_failed. */
function offsetOf(body: string): number | "lost" {
  const found = /"correct_offset"\s*:\s*(\d{1,15})\b/.exec(body)?.[1];
  return found === undefined ? "lost" : Number(found);
}

function readCheckpoint(text: string | null): Checkpoint | null {
  if (text === null) return null;
  try {
    return checkpointSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
