import { createHash, randomUUID } from "node:crypto";
import { open } from "node:fs/promises";
import {
  DeleteObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { lookUpPublic } from "#ground/public-address.ts";
import {
  type ComparedFile,
  type DeliveryTarget,
  type Held,
  PROBE,
  type SendOptions,
  type SentFile,
} from "../delivery-target.ts";
import { explainS3Delivery, storeErrorOf, type S3Place } from "./explain-s3-delivery.ts";
import { dropUploads, readUpload, sendParts } from "./s3-parts.ts";

/** Smaller files take one request. Each file in flight holds one part in memory. */
const PART_BYTES = 8 * 1024 ** 2;
const FILES_AT_ONCE = 3;
const CONNECTING_MS = 5_000;
const SILENCE_MS = 30_000;
const REQUEST_MS = 120_000;
/** The delivery itself retries, with longer pauses. */
const TRIES = 2;
/** Metadata with the object's SHA-256, because multipart uploads have no SHA-256 of the complete object. */
const CHECKSUM = "clipmill-sha256";

/** The store checks each part by its MD5. */
export function openS3Target(place: S3Place, partBytes = PART_BYTES): DeliveryTarget {
  const { bucket } = place;
  const client = makeClient(place);
  const act = async <Result>(signal: AbortSignal, work: (options: { abortSignal: AbortSignal }) => Promise<Result>) => {
    try {
      return await work({ abortSignal: signal });
    } catch (error) {
      signal.throwIfAborted();
      throw explainS3Delivery(error, place);
    }
  };
  const compare = (key: string, file: ComparedFile, signal: AbortSignal) =>
    act(signal, (options) => compareObject(client, { bucket, key }, file, options));

  const send = async (key: string, file: SentFile, options: SendOptions): Promise<"same" | "other"> => {
    const { signal, replaces, resume } = options;
    const object = {
      Bucket: bucket,
      Key: key,
      Metadata: { [CHECKSUM]: file.sha256 },
      ContentType: typeOf(key),
    };
    // Stores that ignore this condition rely on the preceding check.
    const IfNoneMatch = replaces ? undefined : "*";
    try {
      await act(signal, async (request) => {
        if (file.sizeBytes > partBytes) {
          const upload = { client, object, IfNoneMatch, partBytes, request };
          return await sendParts(upload, file, readUpload(resume), options.onProgress);
        }
        const body = await readWhole(file);
        await client.send(
          new PutObjectCommand({ ...object, Body: body, ContentMD5: md5Of(body), IfNoneMatch }),
          request,
        );
      });
    } catch (error) {
      // The name was taken since the check, or the response to an earlier try was lost.
      if (!["PreconditionFailed", "ConditionalRequestConflict", "NoSuchUpload"].includes(storeErrorOf(error)))
        throw error;
      const held = await compare(key, file, signal);
      if (held !== "nothing") return held;
      // The store has expired an old upload.
      await options.onProgress(null);
      throw error;
    }
    // Another client's unconditional write may have followed.
    return (await compare(key, file, signal)) === "same" ? "same" : "other";
  };

  return {
    filesAtOnce: FILES_AT_ONCE,
    keepsProgress: false,
    compare,
    send,
    async abandon(key, _file, resume) {
      if (resume === null) return;
      await dropUploads(client, { Bucket: bucket, Key: key }, { abortSignal: AbortSignal.timeout(SILENCE_MS) });
    },
    async probe(folder, signal) {
      const name = `${PROBE.name}-${randomUUID().slice(0, 8)}`;
      const Key = folder === "" ? name : `${folder}/${name}`;
      await act(signal, async (options) => {
        await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: PROBE.content }), options);
        await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }), options);
      });
    },
    [Symbol.asyncDispose]: async () => client.destroy(),
  };
}

function makeClient({ credentials, isTrusted }: S3Place): S3Client {
  const agent = { keepAlive: true, ...(!isTrusted && { lookup: lookUpPublic }) };
  return new S3Client({
    region: credentials.region,
    ...(credentials.endpoint !== null && { endpoint: credentials.endpoint }),
    forcePathStyle: credentials.path_style,
    credentials: { accessKeyId: credentials.access_key_id, secretAccessKey: credentials.secret_access_key },
    maxAttempts: TRIES,
    // Few stores besides Amazon's support the newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: CONNECTING_MS,
      requestTimeout: REQUEST_MS,
      throwOnRequestTimeout: true,
      socketTimeout: SILENCE_MS,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

async function compareObject(
  client: S3Client,
  { bucket, key }: { bucket: string; key: string },
  file: ComparedFile,
  options: { abortSignal: AbortSignal },
): Promise<Held> {
  try {
    const command = new HeadObjectCommand({ Bucket: bucket, Key: key, ChecksumMode: "ENABLED" });
    const { ContentLength, Metadata, ChecksumSHA256 } = await client.send(command, options);
    if (ContentLength !== file.sizeBytes) return "other";
    const own = Metadata?.[CHECKSUM];
    const digest = ChecksumSHA256 === undefined ? null : Buffer.from(ChecksumSHA256, "base64").toString("hex");
    return own === file.sha256 || digest === file.sha256 ? "same" : "other";
  } catch (error) {
    const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
    // HEAD has no body to identify a missing bucket; the next write reports it.
    if (status === 404) return "nothing";
    // Distinguishes a wrong key from a missing permission.
    if (status === 403)
      await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: key, MaxKeys: 1 }), options);
    throw error;
  }
}

async function readWhole({ localPath, sizeBytes }: SentFile): Promise<Buffer> {
  await using handle = await open(localPath, "r");
  const body = Buffer.alloc(sizeBytes);
  await handle.read(body, 0, sizeBytes, 0);
  return body;
}

function md5Of(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("base64");
}

function typeOf(key: string): string {
  if (key.endsWith(".csv")) return "text/csv; charset=utf-8";
  return key.endsWith(".json") ? "application/json" : "video/mp4";
}
