import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  ListMultipartUploadsCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { z } from "zod";
import type { SentFile } from "../delivery-target.ts";

const MAX_PARTS = 10_000;

/** A resumable upload, as saved between attempts. Parts are sent in order. */
const uploadSchema = z.object({ id: z.string(), partBytes: z.int().positive(), etags: z.array(z.string()) });
type Upload = z.output<typeof uploadSchema>;

export function readUpload(resume: string | null): Upload | null {
  return resume === null ? null : uploadSchema.parse(JSON.parse(resume));
}

type Sending = {
  client: S3Client;
  object: CreateMultipartUploadCommandInput;
  IfNoneMatch: string | undefined;
  partBytes: number;
  request: { abortSignal: AbortSignal };
};

/** Sends the missing parts and completes the upload. Throws the SDK's error. */
export async function sendParts(
  { client, object, IfNoneMatch, partBytes, request }: Sending,
  file: SentFile,
  earlier: Upload | null,
  onProgress: (resume: string) => Promise<void>,
): Promise<void> {
  const { Bucket, Key } = object;
  const upload = earlier ?? (await start());
  await using handle = await open(file.localPath, "r");
  for (let start = upload.etags.length * upload.partBytes; start < file.sizeBytes; start += upload.partBytes) {
    const Body = Buffer.alloc(Math.min(upload.partBytes, file.sizeBytes - start));
    await handle.read(Body, 0, Body.length, start);
    // The store rejects a part with a different checksum.
    const ContentMD5 = createHash("md5").update(Body).digest("base64");
    const PartNumber = upload.etags.length + 1;
    const part = { Bucket, Key, UploadId: upload.id, PartNumber, Body, ContentMD5 };
    const { ETag } = await client.send(new UploadPartCommand(part), request);
    upload.etags.push(ETag ?? "");
    await onProgress(JSON.stringify(upload));
  }
  const Parts = upload.etags.map((ETag, i) => ({ ETag, PartNumber: i + 1 }));
  const end = { Bucket, Key, UploadId: upload.id, MultipartUpload: { Parts }, IfNoneMatch };
  await client.send(new CompleteMultipartUploadCommand(end), request);
  await dropUploads(client, { Bucket, Key }, request);

  async function start(): Promise<Upload> {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(object), request);
    if (UploadId === undefined) throw new Error("The storage service started an upload without an ID.");
    const started = { id: UploadId, partBytes: Math.max(partBytes, Math.ceil(file.sizeBytes / MAX_PARTS)), etags: [] };
    // Saved before the first part, so that a crash leaves no orphaned upload.
    await onProgress(JSON.stringify(started));
    return started;
  }
}

/** Removes unfinished uploads: if the response to a start is lost, the retry leaves an orphaned one. */
export async function dropUploads(
  client: S3Client,
  { Bucket, Key }: Pick<CreateMultipartUploadCommandInput, "Bucket" | "Key">,
  request: { abortSignal: AbortSignal },
): Promise<void> {
  // Some keys may not list uploads; the store's own expiry rule must suffice then.
  const { Uploads = [] } = await client
    .send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }), request)
    .catch(() => ({ Uploads: [] }));
  for (const upload of Uploads.filter((one) => one.Key === Key)) {
    const command = new AbortMultipartUploadCommand({ Bucket, Key, UploadId: upload.UploadId });
    await client.send(command, request).catch(() => {});
  }
}
