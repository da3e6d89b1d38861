/** Manages uploads and their links. Uploads continue on other screens. */
import type { LibraryFile, UploadResponse } from "#contract/calls.ts";
import { type UploadUse, uploadLimit, uploadTooLarge } from "#contract/library.ts";
import { CallError } from "../../api/functions/call-error.ts";

export type UploadState =
  | { kind: "waiting" }
  | { kind: "sending"; sentBytes: number }
  /** All bytes are sent; the server inspects the file. */
  | { kind: "checking" }
  | { kind: "failed"; sentence: string; isRetryable: boolean }
  | { kind: "done"; file: LibraryFile };

export type Upload = { id: number; file: File; use: UploadUse; state: UploadState };

/** An upload whose content was in the library already, as `file`. */
export type Duplicate = { name: string; file: LibraryFile };

/** The visible state, replaced on each change. */
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
  options: { onProgress: (sentBytes: number) => void; signal: AbortSignal },
) => Promise<UploadResponse>;

const MAX_PARALLEL = 2;
const NOTHING: VisibleUploads = { uploads: [], arrived: { video: [], music: [], image: [] }, duplicates: [] };
const FOLDER = "This is a folder. Drop the files in it instead.";

/** Uploads files with `sendFile`, two at a time, in order. */
export function createUploadStore(sendFile: SendFile) {
  let shown = NOTHING;
  let lastId = 0;
  const running = new Map<number, AbortController>();
  const listeners = new Set<() => void>();

  const show = (next: Partial<VisibleUploads>) => {
    shown = { ...shown, ...next };
    for (const listener of listeners) listener();
  };
  const setState = (id: number, state: UploadState) =>
    show({ uploads: shown.uploads.map((upload) => (upload.id === id ? { ...upload, state } : upload)) });

  const send = async ({ id, file, use }: Upload): Promise<void> => {
    const cancelling = new AbortController();
    running.set(id, cancelling);
    setState(id, { kind: "sending", sentBytes: 0 });
    try {
      const onProgress = (sentBytes: number) =>
        setState(id, sentBytes < file.size ? { kind: "sending", sentBytes } : { kind: "checking" });
      const { data, isDuplicate } = await sendFile(file, use, { onProgress, signal: cancelling.signal });
      setState(id, { kind: "done", file: data });
      if (isDuplicate) show({ duplicates: [...shown.duplicates, { name: file.name, file: data }] });
      deliver(use, [data.link]);
    } catch (error) {
      if (!cancelling.signal.aborted) setState(id, describeFailure(error));
    } finally {
      running.delete(id);
      sendNext();
    }
  };
  const sendNext = (): void => {
    const next = shown.uploads.find(({ state }) => state.kind === "waiting");
    if (!next || running.size >= MAX_PARALLEL) return;
    void send(next);
    sendNext();
  };
  const deliver = (use: UploadUse, links: readonly string[]): void =>
    show({ arrived: { ...shown.arrived, [use]: [...shown.arrived[use], ...links] } });
  const remove = (id: number): void => {
    running.get(id)?.abort();
    show({ uploads: shown.uploads.filter((upload) => upload.id !== id) });
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
        return { id: lastId, file, use, state: isFolder ? refuse(FOLDER) : firstState(file, use) };
      });
      show({ uploads: [...shown.uploads, ...added] });
      sendNext();
    },
    /** Adds links of library files to the form. */
    deliver,
    /** Returns the arrived links and clears them. */
    takeArrived(): VisibleUploads["arrived"] {
      const { arrived } = shown;
      if (arrived !== NOTHING.arrived) show({ arrived: NOTHING.arrived });
      return arrived;
    },
    /** Returns the duplicates and clears them. */
    takeDuplicates(): VisibleUploads["duplicates"] {
      const { duplicates } = shown;
      if (duplicates.length > 0) show({ duplicates: [] });
      return duplicates;
    },
    retry(id: number): void {
      setState(id, { kind: "waiting" });
      sendNext();
    },
    /** Removes an upload; aborts it if in progress. */
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

/** Rejects files that are too large without sending them. */
function firstState(file: File, use: UploadUse): UploadState {
  return file.size > uploadLimit(use) ? refuse(uploadTooLarge(use)) : { kind: "waiting" };
}

function refuse(sentence: string): UploadState {
  return { kind: "failed", sentence, isRetryable: false };
}

function describeFailure(error: unknown): UploadState {
  if (!(error instanceof CallError))
    return { kind: "failed", sentence: "Couldn't upload the file. Try again.", isRetryable: true };
  // A fault of the file itself would recur on retry.
  const isFileAtFault = error.status >= 400 && error.status < 500 && error.status !== 401 && error.status !== 409;
  return { kind: "failed", sentence: error.message, isRetryable: !isFileAtFault };
}
