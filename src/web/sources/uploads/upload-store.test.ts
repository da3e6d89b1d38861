import { describe, expect, it, vi } from "vitest";
import type { LibraryFile, UploadResponse } from "#contract/calls.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { countUnfinished, describeDuplicates, createUploadStore, hasFileOf, type SendFile } from "./upload-store.ts";

/** Ends each upload on command. */
function createServer() {
  const calls: {
    name: string;
    signal: AbortSignal;
    onProgress: (bytes: number) => void;
    response: PromiseWithResolvers<UploadResponse>;
  }[] = [];
  const send: SendFile = (file, _use, { onProgress, signal }) => {
    const response = Promise.withResolvers<UploadResponse>();
    signal.addEventListener("abort", () => response.reject(signal.reason as Error));
    calls.push({ name: file.name, signal, onProgress, response });
    return response.promise;
  };
  return { calls, store: createUploadStore(send) };
}

function fileOf(name: string, bytes = 100): File {
  return Object.defineProperty(new File(["x"], name), "size", { value: bytes });
}

function stored(name: string): LibraryFile {
  const link = `https://clipmill.local/file/d/${name}`;
  const facts = { durationSeconds: 1, sizeBytes: 1, sha256: null, isSample: false, thumbnailUrl: null, mediaUrl: "" };
  const usage = { jobs: 0, unfinishedJobs: 0, savedIn: 0, isInCaptionLab: false };
  return { id: name, name, kind: "video", link, ...facts, tags: [], createdAt: "2026-01-01T00:00:00Z", usage };
}

const video = (name: string, bytes?: number) => ({ file: fileOf(name, bytes), use: "video" as const });

describe("uploads", () => {
  it("are sent two at a time, in order", async () => {
    const { calls, store } = createServer();
    store.add([video("a"), video("b"), video("c")]);
    expect(calls.map(({ name }) => name)).toEqual(["a", "b"]);
    calls[1]!.response.resolve({ data: stored("b"), isDuplicate: false });
    await vi.waitFor(() => expect(calls.map(({ name }) => name)).toEqual(["a", "b", "c"]));
  });

  it("report progress, then checking, then return their link once", async () => {
    const { calls, store } = createServer();
    store.add([video("a")]);
    const state = () => store.read().uploads[0]!.state;
    calls[0]!.onProgress(40);
    expect(state()).toEqual({ kind: "sending", sentBytes: 40 });
    calls[0]!.onProgress(100);
    expect(state()).toEqual({ kind: "checking" });
    calls[0]!.response.resolve({ data: stored("a"), isDuplicate: false });
    await vi.waitFor(() => expect(state().kind).toBe("done"));
    expect(store.takeArrived().video).toEqual(["https://clipmill.local/file/d/a"]);
    expect(store.takeArrived().video).toEqual([]);
  });

  it("are unfinished until they are stored, fail or are canceled", async () => {
    const { calls, store } = createServer();
    const unfinished = () => countUnfinished(store.read());
    store.add([video("a"), video("b"), video("c"), video("huge", 3 * 1024 ** 3)]);
    calls[0]!.onProgress(100);
    expect(unfinished()).toBe(3);
    expect(countUnfinished(store.read(), (use) => use !== "video")).toBe(0);
    calls[0]!.response.resolve({ data: stored("a"), isDuplicate: false });
    calls[1]!.response.reject(new CallError(422, "This file is not a video."));
    await vi.waitFor(() => expect(unfinished()).toBe(1));
    store.remove(store.read().uploads[2]!.id);
    expect(unfinished()).toBe(0);
  });

  it("that were in the library already are reported once", async () => {
    const { calls, store } = createServer();
    store.add([video("copy")]);
    calls[0]!.response.resolve({ data: stored("a"), isDuplicate: true });
    await vi.waitFor(() => expect(store.read().duplicates).toHaveLength(1));
    const duplicates = store.takeDuplicates();
    expect(describeDuplicates(duplicates)).toMatch(/^"\W*copy\W*" has the same content as "\W*a\W*"\./);
    expect(describeDuplicates([...duplicates, ...duplicates])).toMatch(/^2 files were uploaded before\./);
    expect([store.takeDuplicates(), store.takeArrived().video.length]).toEqual([[], 1]);
  });

  it("that are canceled leave the list, abort their request and free a place for the next", async () => {
    const { calls, store } = createServer();
    store.add([video("a"), video("b"), video("c")]);
    store.remove(store.read().uploads[0]!.id);
    expect(calls[0]!.signal.aborted).toBe(true);
    await vi.waitFor(() => expect(calls).toHaveLength(3));
    expect(store.read().uploads.map(({ file }) => file.name)).toEqual(["b", "c"]);
  });

  it("can be retried unless the file itself is the cause", async () => {
    const { calls, store } = createServer();
    store.add([video("bad"), video("unlucky")]);
    calls[0]!.response.reject(new CallError(422, "This file is not a video."));
    calls[1]!.response.reject(new CallError(0, "The server could not be reached."));
    await vi.waitFor(() =>
      expect(store.read().uploads.map(({ state }) => state)).toEqual([
        { kind: "failed", sentence: "This file is not a video.", isRetryable: false },
        { kind: "failed", sentence: "The server could not be reached.", isRetryable: true },
      ]),
    );
    store.retry(store.read().uploads[1]!.id);
    expect(calls[2]!.name).toBe("unlucky");
  });

  it("are rejected without being sent if too large or a folder", () => {
    const { calls, store } = createServer();
    store.add([video("huge", 2 * 1024 ** 3 + 1), { ...video("folder"), isFolder: true }]);
    expect(calls).toEqual([]);
    expect(store.read().uploads.map(({ state }) => state)).toEqual([
      {
        kind: "failed",
        sentence: "This file exceeds the 2 GB upload limit.",
        isRetryable: false,
      },
      { kind: "failed", sentence: "This is a folder. Drop the files in it instead.", isRetryable: false },
    ]);
  });

  const INTERRUPTED = { id: "r1", name: "a", use: "video", sizeBytes: 100, receivedBytes: 40 } as const;

  it("that were interrupted continue in place with the same file", () => {
    const { calls, store } = createServer();
    store.showInterrupted([INTERRUPTED, { ...INTERRUPTED, id: "r2", name: "b" }]);
    const [first] = store.read().uploads;
    expect(first).toMatchObject({ file: { name: "a", size: 100 }, state: { kind: "interrupted", sentBytes: 40 } });
    store.resume(first!.id, fileOf("a", 99));
    expect(store.read().uploads[0]!.state).toMatchObject({ kind: "interrupted", isOtherFile: true });
    expect(calls).toEqual([]);
    store.resume(first!.id, fileOf("a"));
    // Adding the file in another way does the same.
    store.add([video("b")]);
    expect([calls.map(({ name }) => name), store.read().uploads.map(({ file }) => file.name)]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
    // Their files are here.
    store.showInterrupted([INTERRUPTED]);
    expect(store.read().uploads).toHaveLength(2);
  });

  it("have their file here unless they were interrupted", () => {
    const store = createUploadStore((file, _use, { onResumable }) => {
      onResumable(`of ${file.name}`);
      return new Promise(() => {});
    });
    store.add([video("b")]);
    store.showInterrupted([INTERRUPTED]);
    expect(["of b", "r1", "other"].map((id) => hasFileOf(store.read(), id))).toEqual([true, false, false]);
  });

  it("that are canceled leave the server too, unless it has rejected them", async () => {
    const canceled: string[] = [];
    const responses = [new CallError(0, "Unreachable."), new CallError(422, "This file is not a video.")];
    const store = createUploadStore(
      (file, _use, { onResumable }) => {
        onResumable(`of ${file.name}`);
        return Promise.reject(responses.shift()!);
      },
      (id) => canceled.push(id),
    );
    store.add([video("kept"), video("rejected")]);
    store.showInterrupted([INTERRUPTED]);
    await vi.waitFor(() =>
      expect(store.read().uploads.map(({ state }) => state.kind)).toEqual(["interrupted", "failed", "failed"]),
    );
    for (const { id } of store.read().uploads) store.remove(id);
    expect(canceled).toEqual(["r1", "of kept"]);
  });

  it("end with the session", () => {
    const { calls, store } = createServer();
    store.add([video("a"), video("b"), video("c")]);
    store.clear();
    expect(calls.every(({ signal }) => signal.aborted)).toBe(true);
    expect(calls).toHaveLength(2);
    expect(store.read().uploads).toEqual([]);
  });
});
