/** Uploads continue on other screens. */
import type { LibraryFile, ResumableUploadEntry, UploadResponse } from "#contract/calls.ts";
import { type UploadUse, uploadLimit, uploadTooLarge } from "#contract/library.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { quoteName } from "../../jobs/row/cut-text.ts";

export type UploadState =
  | { kind: "waiting" }
  /** An earlier page sent part of the file; the rest needs the file again. */
  | { kind: "interrupted"; sentBytes: number; isOtherFile: boolean }
  | { kind: "sending"; sentBytes: number }
  /** All bytes are sent; the server inspects the file. */
  | { kind: "checking" }
  | { kind: "failed"; sentence: string; isRetryable: boolean }
  | { kind: "done"; file: LibraryFile };

type FileFacts = Pick<File, "name" | "size">;

export type Upload = {
  id: number;
  file: FileFacts;
  use: UploadUse;
  state: UploadState;
  /** Null until the file of an interrupted upload is chosen again. */
  content: File | null;
  /** The server's ID of a resumable upload, once known. */
  resumableId: string | null;
  /** A sentence about a retry or restart. */
  note: string | null;
};

/** Its content was already in the library, as `file`. */
export type Duplicate = { name: string; file: LibraryFile };

export type VisibleUploads = {
  uploads: readonly Upload[];
  /** Links not yet added to the form, by use. */
  arrived: Readonly<Record<UploadUse, readonly string[]>>;
  /** Not yet reported. */
  duplicates: readonly Duplicate[];
};

export type SendFile = (
  file: File,
  use: UploadUse,
  options: {
    onProgress: (sentBytes: number) => void;
    onNote: (note: string | null) => void;
    /** Called with the server's ID of a resumable upload. */
    onResumable: (id: string) => void;
    signal: AbortSignal;
  },
) => Promise<UploadResponse>;

/** Asks the server to drop a resumable upload. */
export type CancelUpload = (resumableId: string) => void;

type InterruptedUpload = Pick<ResumableUploadEntry, "id" | "name" | "use" | "sizeBytes" | "receivedBytes">;

const MAX_PARALLEL = 2;
/** The file or the account is the cause: a retry would fail the same way. */
const FINAL_STATUSES = new Set([400, 403, 413, 422]);
const NOTHING: VisibleUploads = {
  uploads: [],
  arrived: { video: [], music: [], image: [], subtitles: [] },
  duplicates: [],
};
const FOLDER = "This is a folder. Drop the files in it instead.";

/** Uploads two files at a time, in order. */
export function createUploadStore(sendFile: SendFile, cancelUpload: CancelUpload = () => {}) {
  let shown = NOTHING;
  let lastId = 0;
  const running = new Map<number, AbortController>();
  const listeners = new Set<() => void>();

  const show = (next: Partial<VisibleUploads>) => {
    shown = { ...shown, ...next };
    for (const listener of listeners) listener();
  };
  const change = (id: number, changes: Partial<Upload>) =>
    show({ uploads: shown.uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)) });
  const setState = (id: number, state: UploadState) => change(id, { state });
  const find = (id: number) => shown.uploads.find((upload) => upload.id === id);

  const send = async (id: number, file: File, use: UploadUse): Promise<void> => {
    const cancelling = new AbortController();
    running.set(id, cancelling);
    setState(id, { kind: "sending", sentBytes: 0 });
    try {
      const onProgress = (sentBytes: number) =>
        setState(id, sentBytes < file.size ? { kind: "sending", sentBytes } : { kind: "checking" });
      const onResumable = (resumableId: string) => {
        const earlier = find(id)?.resumableId;
        // The file has changed, so the server's part is useless.
        if (earlier != null && earlier !== resumableId) cancelUpload(earlier);
        change(id, { resumableId });
      };
      const onNote = (note: string | null) => change(id, { note });
      const options = { onProgress, onNote, onResumable, signal: cancelling.signal };
      const { data, isDuplicate } = await sendFile(file, use, options);
      setState(id, { kind: "done", file: data });
      if (isDuplicate) show({ duplicates: [...shown.duplicates, { name: file.name, file: data }] });
      deliver(use, [data.link]);
    } catch (error) {
      if (!cancelling.signal.aborted) change(id, describeFailure(error));
    } finally {
      running.delete(id);
      change(id, { note: null });
      sendNext();
    }
  };
  const sendNext = (): void => {
    const next = shown.uploads.find(({ state }) => state.kind === "waiting");
    if (!next?.content || running.size >= MAX_PARALLEL) return;
    void send(next.id, next.content, next.use);
    sendNext();
  };
  const deliver = (use: UploadUse, links: readonly string[]): void =>
    show({ arrived: { ...shown.arrived, [use]: [...shown.arrived[use], ...links] } });
  const remove = (id: number): void => {
    const upload = find(id);
    running.get(id)?.abort();
    show({ uploads: shown.uploads.filter((upload) => upload.id !== id) });
    if (upload?.resumableId != null && upload.state.kind !== "done") cancelUpload(upload.resumableId);
  };

  return {
    read: (): VisibleUploads => shown,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(files: readonly { file: File; use: UploadUse; isFolder?: boolean }[]): void {
      const added = files.map(({ file, use, isFolder = false }): Upload => {
        lastId += 1;
        const state = isFolder ? rejected(FOLDER) : firstState(file, use);
        return { id: lastId, file, use, state, content: file, resumableId: null, note: null };
      });
      // Sending the same file continues an interrupted upload.
      const kept = shown.uploads.filter(
        (upload) => upload.state.kind !== "interrupted" || !added.some((one) => isSameFile(one, upload)),
      );
      show({ uploads: [...kept, ...added] });
      sendNext();
    },
    /** Replaces the interrupted uploads, except those whose file is here. */
    showInterrupted(interrupted: readonly InterruptedUpload[]): void {
      const others = shown.uploads.filter(({ state }) => state.kind !== "interrupted");
      const added = interrupted.map(({ id, name, sizeBytes, receivedBytes, use }): Upload => {
        lastId += 1;
        const state: UploadState = { kind: "interrupted", sentBytes: receivedBytes, isOtherFile: false };
        const file = { name, size: sizeBytes };
        return { id: lastId, file, use, state, content: null, resumableId: id, note: null };
      });
      const news = added.filter((upload) => !others.some((other) => isSameFile(other, upload)));
      if (news.length > 0 || others.length < shown.uploads.length) show({ uploads: [...news, ...others] });
    },
    resume(id: number, file: File): void {
      const upload = find(id);
      if (upload?.state.kind !== "interrupted") return;
      if (isSameFile(upload, { file, use: upload.use })) change(id, { content: file, state: { kind: "waiting" } });
      else setState(id, { ...upload.state, isOtherFile: true });
      sendNext();
    },
    /** Adds links of library files to the form. */
    deliver,
    /** Also clears them. */
    takeArrived(): VisibleUploads["arrived"] {
      const { arrived } = shown;
      if (arrived !== NOTHING.arrived) show({ arrived: NOTHING.arrived });
      return arrived;
    },
    /** Also clears them. */
    takeDuplicates(): VisibleUploads["duplicates"] {
      const { duplicates } = shown;
      if (duplicates.length > 0) show({ duplicates: [] });
      return duplicates;
    },
    retry(id: number): void {
      setState(id, { kind: "waiting" });
      sendNext();
    },
    /** Aborts the upload if in progress. */
    remove,
    /** Removes finished uploads whose link is no longer wanted. */
    forgetDone(isWanted: (link: string) => boolean, use: UploadUse): void {
      const remaining = shown.uploads.filter(
        (upload) => upload.use !== use || upload.state.kind !== "done" || isWanted(upload.state.file.link),
      );
      if (remaining.length < shown.uploads.length) show({ uploads: remaining });
    },
    clear(): void {
      for (const cancelling of running.values()) cancelling.abort();
      show(NOTHING);
    },
  };
}

const UNFINISHED: ReadonlySet<UploadState["kind"]> = new Set(["waiting", "sending", "checking"]);

/** Excludes uploads that wait for the operator (failed and interrupted ones) and uses that are off. */
export function countUnfinished({ uploads }: VisibleUploads, isOn: (use: UploadUse) => boolean = () => true): number {
  return uploads.filter(({ use, state }) => UNFINISHED.has(state.kind) && isOn(use)).length;
}

/** Returns whether the file of a resumable upload is here: its upload runs, or can be retried. */
export function hasFileOf({ uploads }: VisibleUploads, resumableId: string): boolean {
  return uploads.some((upload) => upload.resumableId === resumableId && upload.state.kind !== "interrupted");
}

function isSameFile(one: Pick<Upload, "file" | "use">, other: Pick<Upload, "file" | "use">): boolean {
  return one.use === other.use && one.file.name === other.file.name && one.file.size === other.file.size;
}

/** Rejects oversized files without sending them. */
function firstState(file: File, use: UploadUse): UploadState {
  return file.size > uploadLimit(use) ? rejected(uploadTooLarge(use)) : { kind: "waiting" };
}

function rejected(sentence: string): UploadState {
  return { kind: "failed", sentence, isRetryable: false };
}

function describeFailure(error: unknown): Partial<Upload> {
  if (!(error instanceof CallError))
    return { state: { kind: "failed", sentence: "Couldn't upload the file. Try again.", isRetryable: true } };
  const isRetryable = !FINAL_STATUSES.has(error.status);
  const state: UploadState = { kind: "failed", sentence: error.message, isRetryable };
  // The server keeps the bytes of retryable uploads only.
  return isRetryable ? { state } : { state, resumableId: null };
}

export function describeDuplicates(
  duplicates: readonly { name: string; file: Pick<Duplicate["file"], "name"> }[],
): string {
  const [first, ...others] = duplicates;
  if (!first) return "";
  if (others.length > 0) return `${duplicates.length} files were uploaded before. Each is kept only once.`;
  return first.name === first.file.name
    ? `${quoteName(first.name)} was uploaded before. It is kept only once.`
    : `${quoteName(first.name)} has the same content as ${quoteName(first.file.name)}. It is kept only once.`;
}
