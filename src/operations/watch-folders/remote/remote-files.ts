import { driveFolderId } from "#contract/watch-folders/watch-place.ts";
import { type ConnectedKind, WATCH_LIMITS } from "#contract/watch-folders/watch-folders.ts";
import type { RemoteStore } from "#integrations/remote-stores/remote-store.ts";
import type { UploadIntake } from "../../library/upload-intake.ts";
import { receiveUpload } from "../../library/receive-upload.ts";
import type { LibraryContext } from "../../library/keep-upload.ts";
import { type ListedFile, tooManyFiles } from "../check/listed-file.ts";
import type { WatchedFiles } from "../check/watched-files.ts";
import { readVersion, revisionOf } from "./read-version.ts";

type RemoteFolder = {
  kind: ConnectedKind;
  place: string;
  /** Called again after a lost connection. */
  open: () => Promise<RemoteStore>;
  intake: UploadIntake;
  signal: AbortSignal;
};

/** Connects on first use. */
export function openRemoteFiles(
  context: LibraryContext,
  { kind, place, open, intake, signal }: RemoteFolder,
): WatchedFiles {
  const folder = kind === "drive" ? (driveFolderId(place) ?? place) : place;
  let opened: Promise<RemoteStore> | null = null;
  const drop = async (): Promise<void> => {
    const lost = opened;
    opened = null;
    await lost?.then((store) => store.close()).catch(() => {});
  };
  const connection = { open: () => (opened ??= open()), drop };
  return {
    list: async () => await listFiles(await connection.open(), folder),
    async copy({ path, name, revision, size_bytes: sizeBytes }) {
      const version = { folder, path, name, revision, sizeBytes };
      const body = readVersion(connection, version, signal);
      const upload = { name, use: "video", announcedBytes: sizeBytes, body, signal } as const;
      return (await receiveUpload(context, intake, upload)).data.link;
    },
    [Symbol.asyncDispose]: drop,
  };
}

async function listFiles(store: RemoteStore, folder: string): Promise<ListedFile[]> {
  const found: ListedFile[] = [];
  for await (const entry of store.list(folder)) {
    const { id: path, name, sizeBytes, isVideo, isFolder } = entry;
    if (isFolder) continue;
    found.push({ path, name, link: null, sizeBytes, revision: revisionOf(entry), isVideo, leftOut: null });
    if (found.length > WATCH_LIMITS.files) throw tooManyFiles();
  }
  return found;
}
