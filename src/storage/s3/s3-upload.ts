import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type MultipartUpload,
  type S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { createMeter, type Measured, metering } from "#ground/checksum.ts";
import { isSdkError } from "./s3-errors.ts";
import { fullKeyOf, type S3Store, withinLimit } from "./s3-store.ts";

/** S3 allows 10,000 parts, so files of up to 80 GB. */
const PART_BYTES = 8 * 1024 ** 2;
/** Each holds one part in memory. */
const PARTS_AT_ONCE = 3;
/** Rendering outpaces slower connections. */
const MIN_BYTES_PER_SECOND = 256 * 1024;
const LEFTOVER_HOURS = 24;

/**
 * Measures unless `measured` is given. Leaves no part behind on failure. Throws "unavailable", "no_space" or the
 * signal's reason.
 */
export async function uploadFile(
  store: S3Store,
  key: string,
  file: UploadedFile,
  signal: AbortSignal | undefined,
): Promise<Measured> {
  const limitMs = store.limits.callMs + (file.sizeBytes / MIN_BYTES_PER_SECOND) * 1000;
  return await withinLimit(store, { key, limitMs, signal }, async (ending) => {
    try {
      return await sendOnce(store, key, file, ending);
    } catch (error) {
      // Or the upload was completed but its response was lost, and the retry found no upload. The file may or may not
      // exist.
      if (!isSdkError(error) || error.name !== "NoSuchUpload") throw error;
      return await sendOnce(store, key, file, ending);
    }
  });
}

type UploadedFile = { path: string; sizeBytes: number; measured: Measured | null };

async function sendOnce(
  store: S3Store,
  key: string,
  { path, measured }: UploadedFile,
  ending: AbortSignal,
): Promise<Measured> {
  const bucket = store.location.bucket;
  const fullKey = fullKeyOf(store, key);
  const meter = createMeter();
  const source = createReadStream(path, { highWaterMark: 1024 ** 2 }) as AsyncIterable<Buffer>;
  const body = Readable.from(measured ? source : metering(source, meter), { objectMode: false });
  const line = clientUntil(store.client, ending);
  const upload = new Upload({
    client: line.client,
    partSize: PART_BYTES,
    queueSize: PARTS_AT_ONCE,
    // dropUpload runs instead, awaited, once nothing is in flight.
    leavePartsOnError: true,
    params: { Bucket: bucket, Key: fullKey, Body: body },
  });
  try {
    await upload.done();
    if (line.mayHaveOpenedMore()) await dropUploadsOf(store, fullKey);
    return measured ?? meter.read();
  } catch (error) {
    if (upload.uploadId !== undefined) await dropUpload(store, { Key: fullKey, UploadId: upload.uploadId });
    if (line.mayHaveOpenedMore()) await dropUploadsOf(store, fullKey);
    throw error;
  } finally {
    body.destroy();
  }
}

/**
 * Aborts all requests on `ending` or on the first failure: the SDK's uploader sends all other parts before it fails,
 * and its abort misses requests in flight.
 */
function clientUntil(client: S3Client, ending: AbortSignal): { client: S3Client; mayHaveOpenedMore(): boolean } {
  const failing = new AbortController();
  const abortSignal = AbortSignal.any([ending, failing.signal]);
  // After a lost response, the retry may have opened a second upload.
  let mayHaveOpenedMore = false;
  const send = async (command: CreateMultipartUploadCommand): Promise<unknown> => {
    const opens = command instanceof CreateMultipartUploadCommand;
    try {
      const response = await client.send(command, { abortSignal });
      if (opens) mayHaveOpenedMore = (response.$metadata.attempts ?? 1) > 1;
      return response;
    } catch (error) {
      if (opens) mayHaveOpenedMore = true;
      failing.abort();
      throw error;
    }
  };
  const bound = Object.assign(Object.create(client) as S3Client, { send });
  return { client: bound, mayHaveOpenedMore: () => mayHaveOpenedMore };
}

/** Removes uploads that a kill left over a day ago: their parts cost money and appear in no list of files. */
export async function dropOldUploads(store: S3Store): Promise<void> {
  const oldest = Date.now() - LEFTOVER_HOURS * 3_600_000;
  const prefix = store.location.prefix === "" ? "" : `${store.location.prefix}/`;
  await dropUploads(store, prefix, ({ Initiated }) => Initiated !== undefined && Initiated.getTime() < oldest);
}

async function dropUploadsOf(store: S3Store, fullKey: string): Promise<void> {
  await dropUploads(store, fullKey, ({ Key }) => Key === fullKey);
}

async function dropUploads(store: S3Store, prefix: string, isOurs: (upload: MultipartUpload) => boolean) {
  const command = new ListMultipartUploadsCommand({ Bucket: store.location.bucket, Prefix: prefix });
  const found = await withinLimit(
    store,
    { key: null, limitMs: store.limits.callMs },
    (abortSignal) => store.client.send(command, { abortSignal }),
    // Some stores and access keys cannot list uploads; the store's own expiry rule must suffice then.
  ).catch(() => null);
  for (const upload of found?.Uploads ?? []) if (isOurs(upload)) await dropUpload(store, upload);
}

/** Ignores failures: dropOldUploads retries a day later. */
async function dropUpload(store: S3Store, { Key, UploadId }: MultipartUpload): Promise<void> {
  const command = new AbortMultipartUploadCommand({ Bucket: store.location.bucket, Key, UploadId });
  await withinLimit(store, { key: null, limitMs: store.limits.callMs }, (abortSignal) =>
    store.client.send(command, { abortSignal }),
  ).catch(() => {});
}
