import { constants, open, rm, writeFile } from "node:fs/promises";
import { ClipmillError } from "#contract/errors.ts";
import { replaceFile } from "#ground/sync-files.ts";
import { loadRecords, partOf, recordOf, type ResumableUpload, statOrNull } from "./upload-records.ts";

/** Uploads expire this long after their last byte. */
export const RESUMABLE_MS = 24 * 3_600_000;
/** Per account. A browser sends two at a time; each reload can leave two behind. */
const MAX_UNFINISHED = 20;
/** At the limit, uploads silent for longer make room. */
const ABANDONED_MS = 3_600_000;
/** A request without data for this long has probably lost its sender. */
const SILENT_MS = 5_000;
const TOO_MANY = `You have ${MAX_UNFINISHED} unfinished uploads. Wait for one to finish, or cancel one.`;

/** For an unknown, expired or another account's upload. */
export const uploadNotFound = (): ClipmillError =>
  new ClipmillError("not_found", "This upload no longer exists. Start it again.");

type Entry = { upload: ResumableUpload; touchedMs: number };
type UploadResult = NonNullable<ResumableUpload["result"]>;
type Keeping = { done: Promise<UploadResult>; stopping: AbortController };

export type ResumableUploads = {
  folder: string;
  /** Throws ClipmillError "too_many". */
  create(upload: Omit<ResumableUpload, "result">): Promise<void>;
  /** Throws ClipmillError "not_found", also for another account's upload. */
  find(id: string, accountId?: string): ResumableUpload;
  /** Includes finished ones until they expire. */
  list(accountId: string): ResumableUpload[];
  isBeingKept(id: string): boolean;
  touchedMs(id: string): number;
  isSilent(id: string): boolean;
  /** Throws ClipmillError "not_found" if the bytes are gone. */
  receivedBytes(id: string): Promise<number>;
  /** Returns the new number of bytes. Keeps what arrived before an error of `body`. */
  append(id: string, body: AsyncIterable<Uint8Array>): Promise<number>;
  /**
   * Runs `keep`, which may move the file, unless it runs or has succeeded. The signal aborts when the upload is removed
   * or the server stops.
   */
  keepOnce(id: string, keep: (part: string, signal: AbortSignal) => Promise<UploadResult>): Promise<UploadResult>;
  /** Does nothing for an unknown upload. */
  remove(id: string): Promise<void>;
  deleteExpired(now: Date): Promise<void>;
};

/** Uploads survive restarts. No other process may use `folder`. Dispose of it after the last request. */
export async function openResumableUploads(folder: string): Promise<ResumableUploads & AsyncDisposable> {
  const entries = new Map<string, Entry>();
  for (const entry of await loadRecords(folder)) entries.set(entry.upload.id, entry);
  const keepings = new Map<string, Keeping>();

  const entryOf = (id: string): Entry => {
    const entry = entries.get(id);
    if (!entry) throw uploadNotFound();
    return entry;
  };
  const unfinishedOf = (accountId: string): Entry[] =>
    [...entries.values()].filter(({ upload }) => upload.accountId === accountId && !upload.result);
  const stopKeeping = async (id: string): Promise<void> => {
    const keeping = keepings.get(id);
    keeping?.stopping.abort();
    await keeping?.done.catch(() => {});
  };
  const remove = async (id: string): Promise<void> => {
    await stopKeeping(id);
    if (!entries.delete(id)) return;
    await rm(partOf(folder, id), { force: true });
    await rm(recordOf(folder, id), { force: true });
  };
  const makeRoom = async (accountId: string): Promise<void> => {
    const unfinished = unfinishedOf(accountId).toSorted((a, b) => a.touchedMs - b.touchedMs);
    if (unfinished.length < MAX_UNFINISHED) return;
    const [oldest] = unfinished;
    if (oldest!.touchedMs > Date.now() - ABANDONED_MS) throw new ClipmillError("too_many", TOO_MANY);
    await remove(oldest!.upload.id);
  };

  return {
    folder,
    async create(fields) {
      const { id } = fields;
      await makeRoom(fields.accountId);
      // Counted before anything is awaited, so that concurrent requests cannot exceed the limit.
      if (unfinishedOf(fields.accountId).length >= MAX_UNFINISHED) throw new ClipmillError("too_many", TOO_MANY);
      const upload = { ...fields, result: null };
      entries.set(id, { upload, touchedMs: Date.now() });
      try {
        await writeFile(partOf(folder, id), "", { flag: "wx", mode: 0o600 });
        await replaceFile(recordOf(folder, id), JSON.stringify(upload));
      } catch (error) {
        await remove(id);
        throw error;
      }
    },
    find(id, accountId) {
      const { upload } = entryOf(id);
      if (accountId !== undefined && upload.accountId !== accountId) throw uploadNotFound();
      return upload;
    },
    list: (accountId) =>
      [...entries.values()].flatMap(({ upload }) => (upload.accountId === accountId ? [upload] : [])),
    isBeingKept: (id) => keepings.has(id),
    touchedMs: (id) => entryOf(id).touchedMs,
    isSilent: (id) => entryOf(id).touchedMs < Date.now() - SILENT_MS,
    async receivedBytes(id) {
      const { upload } = entryOf(id);
      // Its part has been moved or deleted.
      if (upload.result || keepings.has(id)) return upload.sizeBytes;
      const part = await statOrNull(partOf(folder, id));
      if (part) return part.size;
      await remove(id);
      throw uploadNotFound();
    },
    async append(id, body) {
      const entry = entryOf(id);
      await using file = await open(partOf(folder, id), constants.O_WRONLY | constants.O_APPEND);
      try {
        for await (const piece of body) {
          await file.appendFile(piece);
          entry.touchedMs = Date.now();
        }
      } finally {
        await file.sync();
      }
      return (await file.stat()).size;
    },
    async keepOnce(id, keep) {
      const entry = entryOf(id);
      if (entry.upload.result) return entry.upload.result;
      const running = keepings.get(id);
      if (running) return await running.done;
      const stopping = new AbortController();
      const run = async () => {
        const result = await keep(partOf(folder, id), stopping.signal);
        await replaceFile(recordOf(folder, id), JSON.stringify({ ...entry.upload, result }));
        entry.upload = { ...entry.upload, result };
        entry.touchedMs = Date.now();
        await rm(partOf(folder, id), { force: true });
        return result;
      };
      const done = run().finally(() => keepings.delete(id));
      keepings.set(id, { done, stopping });
      return await done;
    },
    remove,
    async deleteExpired(now) {
      for (const [id, { touchedMs }] of entries) {
        if (touchedMs < now.getTime() - RESUMABLE_MS && !keepings.has(id)) await remove(id);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...keepings.keys()].map(stopKeeping));
    },
  };
}
