import { rm, stat } from "node:fs/promises";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { ClipmillError } from "#contract/errors.ts";
import { isMissing } from "#ground/error-code.ts";
import {
  type FileAddresses,
  fileNotFound,
  localFileMissing,
  partsOfKey,
  type PutRequest,
  requireRange,
  type Storage,
} from "../storage.ts";
import { openLocalCopies } from "./s3-local-copies.ts";
import type { S3Location } from "./s3-location.ts";
import { readObject } from "./s3-read.ts";
import { fullKeyOf, makeS3Store, S3_LIMITS, type S3Limits, type S3Store, withinLimit } from "./s3-store.ts";
import { dropOldUploads, uploadFile } from "./s3-upload.ts";

const MAX_COPIED_BYTES = 20 * 1024 ** 3;

/**
 * Checks access with one request. Credentials come from the SDK's default sources. Throws "unavailable" with
 * instructions.
 */
export async function openS3Storage(
  location: S3Location,
  copiesFolder: string,
  limits: typeof S3_LIMITS = S3_LIMITS,
): Promise<Storage> {
  const store = makeS3Store(location, limits);
  const copies = await openLocalCopies(copiesFolder, MAX_COPIED_BYTES);
  await listKeys(store, location.prefix === "" ? "" : `${location.prefix}/`, 1);
  await dropOldUploads(store);
  const checkKey = (key: string): void => {
    partsOfKey(key);
    // The prefix counts towards the longest key.
    partsOfKey(fullKeyOf(store, key));
  };

  const addresses = await openAddresses(location, limits);
  return {
    async put(key, fromPath, { signal, measured = null } = {}) {
      checkKey(key);
      const { size: sizeBytes } = await stat(fromPath).catch((error: unknown) => {
        throw isMissing(error) ? localFileMissing(key, error) : error;
      });
      const stored = await uploadFile(store, key, { path: fromPath, sizeBytes, measured }, signal);
      await rm(fromPath, { force: true });
      return stored;
    },
    async read(key, range) {
      checkKey(key);
      requireRange(range, key);
      return await readObject(store, key, range);
    },
    async sizeOf(key) {
      checkKey(key);
      return (await describe(store, key))?.ContentLength ?? null;
    },
    async toLocalFile(key) {
      checkKey(key);
      const found = await describe(store, key);
      if (found === null) throw fileNotFound(key);
      return await copies.take(`${fullKeyOf(store, key)}\n${found.ETag}`, () => readObject(store, key, undefined));
    },
    async removeAll(prefix) {
      checkKey(prefix);
      const fullKey = fullKeyOf(store, prefix);
      let keys = [fullKey, ...(await listKeys(store, `${fullKey}/`, MAX_AT_ONCE - 1))];
      while (keys.length > 0) {
        await deleteKeys(store, prefix, keys);
        // Lists again instead of paging: a store's list may lag behind, and few prefixes have more.
        keys = keys.length === 1 ? [] : await listKeys(store, `${fullKey}/`, MAX_AT_ONCE);
      }
    },
    addresses: {
      origin: addresses.origin,
      async of(key, options) {
        checkKey(key);
        return await addresses.of(key, options);
      },
      async toPut(key, file) {
        checkKey(key);
        return await addresses.toPut(key, file);
      },
    },
  };
}

const MAX_AT_ONCE = 1_000;

async function listKeys(store: S3Store, prefix: string, most: number): Promise<string[]> {
  const command = new ListObjectsV2Command({ Bucket: store.location.bucket, Prefix: prefix, MaxKeys: most });
  const { Contents } = await withinLimit(store, { key: null, limitMs: store.limits.callMs }, (abortSignal) =>
    store.client.send(command, { abortSignal }),
  );
  return (Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
}

async function deleteKeys(store: S3Store, prefix: string, keys: string[]): Promise<void> {
  const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
  const command = new DeleteObjectsCommand({ Bucket: store.location.bucket, Delete });
  const { Errors } = await withinLimit(store, { key: null, limitMs: store.limits.callMs }, (abortSignal) =>
    store.client.send(command, { abortSignal }),
  );
  const [first] = Errors ?? [];
  if (first) {
    throw new ClipmillError(
      "unavailable",
      `Deleting files from the bucket "${store.location.bucket}" was denied. Check the permissions of its credentials.`,
      {
        facts: { prefix, fault: first.Code, count: Errors?.length },
      },
    );
  }
}

async function describe(store: S3Store, key: string): Promise<HeadObjectCommandOutput | null> {
  const command = new HeadObjectCommand({ Bucket: store.location.bucket, Key: fullKeyOf(store, key) });
  try {
    return await withinLimit(store, { key, limitMs: store.limits.callMs }, (abortSignal) =>
      store.client.send(command, { abortSignal }),
    );
  } catch (error) {
    if (error instanceof ClipmillError && error.code === "not_found") return null;
    throw error;
  }
}

/** Presigns for the host that browsers use, which is part of the signature. Sends no request. */
async function openAddresses(location: S3Location, limits: S3Limits): Promise<FileAddresses> {
  const store = makeS3Store({ ...location, endpoint: location.publicEndpoint ?? location.endpoint }, limits);
  const of: FileAddresses["of"] = (key, { type, disposition, seconds }) => {
    const command = new GetObjectCommand({
      Bucket: location.bucket,
      Key: fullKeyOf(store, key),
      ResponseContentType: type,
      ...(disposition !== null && { ResponseContentDisposition: disposition }),
    });
    return withinLimit(store, { key, limitMs: limits.callMs }, () =>
      getSignedUrl(store.client, command, { expiresIn: seconds }),
    );
  };
  // Taken from a sample, because the bucket's name may be part of the host.
  const sample = await of("any", { type: "video/mp4", disposition: null, seconds: 1 });
  return { origin: new URL(sample).origin, of, toPut: (key, file) => presignPut(store, key, file) };
}

const CHECKSUM = "x-amz-checksum-sha256";

/** The signature covers size and checksum; the store checks the content against both. */
async function presignPut(
  store: S3Store,
  key: string,
  { sizeBytes, sha256, seconds }: Parameters<FileAddresses["toPut"]>[1],
): Promise<PutRequest> {
  const checksum = Buffer.from(sha256, "hex").toString("base64");
  const command = new PutObjectCommand({
    Bucket: store.location.bucket,
    Key: fullKeyOf(store, key),
    ContentLength: sizeBytes,
    ChecksumSHA256: checksum,
  });
  const signed = {
    expiresIn: seconds,
    unhoistableHeaders: new Set([CHECKSUM]),
    signableHeaders: new Set(["host", "content-length", CHECKSUM]),
  };
  const url = await withinLimit(store, { key, limitMs: store.limits.callMs }, () =>
    getSignedUrl(store.client, command, signed),
  );
  return { url, headers: { [CHECKSUM]: checksum } };
}
