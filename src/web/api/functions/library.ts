/** All calls throw CallError. */
import type {
  ChangeLibraryFileResponse,
  DeleteLibraryFilesResponse,
  HeldFile,
  LibraryFile,
  MeasureSilencesRequest,
  PreviewRequest,
  PreviewResponse,
  SilencesResponse,
  ResumableUploadEntry,
  ResumableUploadsResponse,
  UploadResponse,
} from "#contract/calls.ts";
import { LIBRARY_LIMITS, type UploadUse } from "#contract/library.ts";
import { CallError, readCallError, UNREACHABLE } from "./call-error.ts";
import { callFunction } from "./call-function.ts";
import { apiKeyHeader, auth, readAccessToken } from "../connection/client.ts";
import { fetchWithSession } from "../connection/fetch-with-session.ts";
import { hasSessionEnded, untilSignedInAgain } from "../connection/session.ts";

export const RESUMABLE_UPLOADS = "/uploads/tus";

export async function changeLibraryFile(
  id: string,
  changes: { name: string } | { tags: readonly string[] },
): Promise<LibraryFile> {
  return (await callFunction<ChangeLibraryFileResponse>("library", { method: "PATCH", id, ...changes })).data;
}

/** Keeps files that unfinished jobs or captions need, and returns those. */
export async function deleteLibraryFiles(ids: readonly string[]): Promise<HeldFile[]> {
  const most = LIBRARY_LIMITS.filesDeletedAtOnce;
  const held: HeldFile[] = [];
  for (let start = 0; start < ids.length; start += most) {
    const request = { method: "DELETE", ids: ids.slice(start, start + most) };
    held.push(...(await callFunction<DeleteLibraryFilesResponse>("library", request)).held);
  }
  return held;
}

export function loadPreview(request: PreviewRequest, signal: AbortSignal): Promise<PreviewResponse> {
  return callFunction("preview", request, { signal });
}

export function measureSilences(request: MeasureSilencesRequest, signal: AbortSignal): Promise<SilencesResponse> {
  return callFunction("preview", { action: "silences", ...request }, { signal });
}

/**
 * `onProgress` gets the bytes sent; the server then still probes the file. If the session ends, starts over when the
 * account signs in again. Throws the signal's reason when aborted.
 */
export async function uploadFile(
  file: File,
  use: UploadUse,
  options: { onProgress: (sentBytes: number) => void; signal: AbortSignal },
): Promise<UploadResponse> {
  const token = await readAccessToken();
  const { status, text } = await send(file, { use, token, ...options });
  if (status === 401) {
    await auth.getUser();
    if (hasSessionEnded()) {
      await untilSignedInAgain(options.signal);
      return await uploadFile(file, use, options);
    }
  }
  if (status !== 200) throw await readCallError(new Response(text, { status }));
  return JSON.parse(text) as UploadResponse;
}

/** Returns the uploads of the last 24 hours. */
export async function listResumableUploads(signal: AbortSignal): Promise<ResumableUploadEntry[]> {
  const response = await reach(RESUMABLE_UPLOADS, { signal });
  return ((await response.json()) as ResumableUploadsResponse).data;
}

/** Waits for the server's check of a fully received upload. */
export async function readUploadResult(id: string, signal: AbortSignal): Promise<UploadResponse> {
  return (await (await reach(`${RESUMABLE_UPLOADS}/${id}`, { signal })).json()) as UploadResponse;
}

/** Never fails: otherwise, the upload expires on the server. */
export function cancelUpload(id: string): void {
  const headers = { "Tus-Resumable": "1.0.0" };
  reach(`${RESUMABLE_UPLOADS}/${id}`, { method: "DELETE", headers, keepalive: true }).catch(() => {});
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  const response = await fetchWithSession(path, init).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause;
    throw new CallError(0, UNREACHABLE);
  });
  if (!response.ok) throw await readCallError(response);
  return response;
}

/** Uses XMLHttpRequest because fetch cannot report upload progress. */
function send(
  file: File,
  options: {
    use: UploadUse;
    token: string | null;
    onProgress: (sentBytes: number) => void;
    signal: AbortSignal;
  },
): Promise<{ status: number; text: string }> {
  const { use, token, onProgress, signal } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const end = (settle: () => void) => {
      signal.removeEventListener("abort", abort);
      settle();
    };
    signal.throwIfAborted();
    signal.addEventListener("abort", abort, { once: true });
    request.open("POST", `/uploads?${new URLSearchParams({ name: file.name, use })}`);
    request.setRequestHeader("apikey", apiKeyHeader.apikey);
    if (token) request.setRequestHeader("authorization", `Bearer ${token}`);
    request.upload.addEventListener("progress", (event) => onProgress(event.loaded));
    request.addEventListener("load", () => end(() => resolve({ status: request.status, text: request.responseText })));
    request.addEventListener("error", () => end(() => reject(new CallError(0, UNREACHABLE))));
    request.addEventListener("abort", () => end(() => reject(signal.reason as Error)));
    request.send(file);
  });
}
