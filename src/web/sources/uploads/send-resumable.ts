import { DetailedError, Upload } from "tus-js-client";
import type { UploadResponse } from "#contract/calls.ts";
import type { UploadUse } from "#contract/library.ts";
import { apiKeyHeader, auth, readAccessToken } from "../../api/connection/client.ts";
import { hasSessionEnded } from "../../api/connection/session.ts";
import { CallError, readCallError, UNREACHABLE } from "../../api/functions/call-error.ts";
import { listResumableUploads, readUploadResult, RESUMABLE_UPLOADS } from "../../api/functions/library.ts";
import { fingerprintFile } from "./fingerprint-file.ts";
import type { SendFile } from "./upload-store.ts";

/** Fits the body limits of common proxies. */
const CHUNK_BYTES = 16 * 1024 ** 2;
/** Two minutes: longer than a server restart. Starts over whenever bytes get through. */
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000];
const LOCKED = 423;
/** Retried, besides connection and server errors: changed offset, another sender, too many uploads. */
const PASSING_STATUSES = new Set([409, LOCKED, 429]);
const FULL_DISK = 507;
const RETRYING = "The connection was lost. Retrying…";
const WAITING = "Waiting for another upload to finish…";
const STARTED_AGAIN = "The server no longer had the first part. The upload started again.";

type Options = Parameters<SendFile>[2] & { use: UploadUse; screen: string };

/**
 * Resumes what the server has from an earlier page, tab or computer. Retries for two minutes. Throws CallError, or the
 * signal's reason when aborted.
 */
export async function sendResumable(file: File, options: Options): Promise<UploadResponse> {
  const { use, signal } = options;
  const fingerprint = await fingerprintFile(file);
  const known = await listResumableUploads(signal);
  const earlier = known.find(
    (one) => one.fingerprint === fingerprint && one.use === use && one.sizeBytes === file.size,
  );
  const send = async (earlierId: string | null) => {
    const id = await sendParts(file, { ...options, fingerprint, earlierId }).catch(async (error: unknown) => {
      throw await explain(error);
    });
    return await readUploadResult(id, signal);
  };
  try {
    return await send(earlier?.id ?? null);
  } catch (error) {
    // Listing the uploads waits until the account signs in again.
    if (error instanceof CallError && error.status === 401 && hasSessionEnded())
      return await sendResumable(file, options);
    // The file was deleted from the library since.
    if (earlier && error instanceof CallError && error.status === 404) return await send(null);
    throw error;
  }
}

/** Resolves with the upload's ID once the server has received and checked the file. */
function sendParts(file: File, options: Options & { fingerprint: string; earlierId: string | null }): Promise<string> {
  const { use, screen, fingerprint, earlierId, signal, onProgress, onNote, onResumable } = options;
  let lastNote: string | null = null;
  const note = (text: string | null) => {
    if (text !== lastNote) onNote((lastNote = text));
  };
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: RESUMABLE_UPLOADS,
      uploadUrl: earlierId === null ? null : `${RESUMABLE_UPLOADS}/${earlierId}`,
      metadata: { name: file.name, use, fingerprint, screen },
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_DELAYS_MS,
      // The server lists unfinished uploads, so any browser can resume them.
      storeFingerprintForResuming: false,
      async onBeforeRequest(request) {
        const token = await readAccessToken();
        request.setHeader("apikey", apiKeyHeader.apikey);
        if (token) request.setHeader("Authorization", `Bearer ${token}`);
      },
      onAfterResponse(request, response) {
        const status = response.getStatus();
        const isGone = status === 404 || status === 410;
        // Without this, the library starts over whenever the server is unavailable.
        if (request.getMethod() === "HEAD" && status >= 400 && status !== LOCKED && !isGone) {
          throw new CallError(status, `The server returned an error (${status}).`);
        }
        if (request.getMethod() === "HEAD" && isGone) note(STARTED_AGAIN);
        else if (status < 400 && lastNote !== STARTED_AGAIN) note(null);
      },
      onShouldRetry(error) {
        const status = statusOf(error);
        if (!isPassing(status)) return false;
        note(status === 0 || status >= 500 ? RETRYING : WAITING);
        return true;
      },
      onUploadUrlAvailable: () => onResumable(idOf(upload)),
      onProgress,
      onSuccess: () => resolve(idOf(upload)),
      onError: reject,
    });
    const stop = () => {
      void upload.abort();
      reject(signal.reason as Error);
    };
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    upload.start();
  });
}

function isPassing(status: number): boolean {
  return status === 0 || PASSING_STATUSES.has(status) || (status >= 500 && status !== FULL_DISK);
}

function idOf({ url }: Upload): string {
  return url!.slice(url!.lastIndexOf("/") + 1);
}

function statusOf({ originalResponse, causingError }: DetailedError): number {
  return originalResponse?.getStatus() ?? (causingError instanceof CallError ? causingError.status : 0);
}

async function explain(error: unknown): Promise<unknown> {
  if (!(error instanceof DetailedError)) return error;
  const status = statusOf(error);
  // getUser makes the client drop a revoked session.
  if (status === 401) await auth.getUser();
  if (status === 0) return new CallError(0, UNREACHABLE);
  return error.originalResponse
    ? await readCallError(new Response(error.originalResponse.getBody(), { status }))
    : error.causingError;
}
