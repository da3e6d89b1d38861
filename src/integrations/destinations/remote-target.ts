import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { ClipmillError } from "#contract/errors.ts";
import { type Checksum, checksumOfStream } from "../remote-stores/checksums.ts";
import type { RemoteEntry, RemoteStore, UploadSource } from "../remote-stores/remote-store.ts";
import { type ComparedFile, type DeliveryTarget, type Held, PROBE, type SentFile } from "./delivery-target.ts";

/** SFTP checkpoints match this. */
const PART_NAME = /^\.clipmill-[0-9a-f]+\.part$/;

type Place = {
  /** Connects. Called again after the connection was lost. */
  open: () => Promise<RemoteStore>;
  /** Path or id of the root folder in the store. */
  root: string;
};

/** Delivers one file at a time: these services slow down or reject parallel writes. Sends no request yet. */
export function openRemoteTarget({ open, root }: Place): DeliveryTarget {
  let store: Promise<RemoteStore> | null = null;
  const folders = new Map<string, string>();

  const drop = async (): Promise<void> => {
    const lost = store;
    store = null;
    folders.clear();
    await lost?.then((opened) => opened.close()).catch(() => {});
  };
  const act = async <Result>(work: (opened: RemoteStore) => Promise<Result>): Promise<Result> => {
    try {
      store ??= open();
      return await work(await store);
    } catch (error) {
      // The connection may be lost or a folder deleted.
      await drop();
      throw error;
    }
  };
  const ensure = async (opened: RemoteStore, folder: string): Promise<string> => {
    if (folder === "") return root;
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const { parent, name } = split(folder);
    const found = await opened.ensureFolder(await ensure(opened, parent), name);
    folders.set(folder, found);
    return found;
  };
  const locate = async (opened: RemoteStore, path: string) => {
    const { parent, name } = split(path);
    return { folder: await ensure(opened, parent), name };
  };

  return {
    filesAtOnce: 1,
    keepsProgress: false,
    compare: (path, file) =>
      act(async (opened) => {
        const { folder, name } = await locate(opened, path);
        const entry = await opened.find(folder, name);
        return entry === null ? "nothing" : await compareEntry(opened, entry, file);
      }),
    send: (path, file, { resume, onProgress }) =>
      act<"same">(async (opened) => {
        const { folder, name } = await locate(opened, path);
        const entry = await opened.upload(folder, name, toSource(file, { resume, onProgress }));
        if ((await compareEntry(opened, entry, file)) === "same") return "same";
        await opened.remove(entry);
        await onProgress(null);
        throw new ClipmillError("unavailable", "A file arrived with a different checksum. It will be sent again.");
      }),
    async abandon(path, _file, resume) {
      if (resume === null || !PART_NAME.test(resume)) return;
      const removing = act(async (opened) => {
        const { folder } = await locate(opened, path);
        const part = await opened.find(folder, resume);
        if (part) await opened.remove(part);
      });
      await removing.catch(() => {});
    },
    probe: (folder) =>
      act(async (opened) => {
        const name = `${PROBE.name}-${randomUUID().slice(0, 8)}`;
        const bytes = Buffer.from(PROBE.content);
        const source = { sizeBytes: bytes.length, read: (start: number) => Readable.from([bytes.subarray(start)]) };
        const at = await ensure(opened, folder);
        const entry = await opened.upload(at, name, { ...source, checkpoint: null, onCheckpoint: async () => {} });
        await opened.remove(entry);
      }),
    [Symbol.asyncDispose]: drop,
  };
}

function split(path: string): { parent: string; name: string } {
  const end = path.lastIndexOf("/");
  return { parent: path.slice(0, Math.max(0, end)), name: path.slice(end + 1) };
}

function toSource(
  { localPath, sizeBytes }: SentFile,
  { resume, onProgress }: { resume: string | null; onProgress: (resume: string) => Promise<void> },
): UploadSource {
  const read = (start: number) => createReadStream(localPath, { start });
  return { sizeBytes, read, checkpoint: resume, onCheckpoint: onProgress };
}

async function compareEntry(store: RemoteStore, entry: RemoteEntry, file: ComparedFile): Promise<Held> {
  if (entry.isFolder || entry.sizeBytes !== file.sizeBytes) return "other";
  const held = await store.checksum(entry);
  if (held.algorithm === "sha256") return held.value === file.sha256 ? "same" : "other";
  const wanted = await checksumIn(held.algorithm, file);
  if (wanted !== null) return wanted.value === held.value ? "same" : "other";
  // The local file is missing, so only its SHA-256 is known.
  const found = await checksumOfStream("sha256", await store.download(entry));
  return found.value === file.sha256 ? "same" : "other";
}

async function checksumIn(algorithm: Checksum["algorithm"], { localPath }: ComparedFile): Promise<Checksum | null> {
  return localPath === undefined ? null : await checksumOfStream(algorithm, createReadStream(localPath));
}
