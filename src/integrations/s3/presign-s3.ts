import { GetObjectCommand, ListBucketsCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { S3Settings } from "#contract/connections/connections.ts";
import type { S3Request } from "#contract/connections/s3-requests.ts";

/** Limits only a request's start; each range of a download is signed again. */
const VALID_SECONDS = 3_600;

export type S3Credentials = Pick<S3Settings, "endpoint" | "region" | "access_key_id" | "path_style"> & {
  secret_access_key: string;
};

/** Presigns for an hour, so that sources go through the guarded HTTP client. Sends no request. */
export async function presignS3(credentials: S3Credentials, request: S3Request): Promise<URL> {
  const client = new S3Client({
    region: credentials.region,
    ...(credentials.endpoint !== null && { endpoint: credentials.endpoint }),
    forcePathStyle: credentials.path_style,
    credentials: { accessKeyId: credentials.access_key_id, secretAccessKey: credentials.secret_access_key },
    // Few stores besides Amazon's support the newer checksums.
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  try {
    return new URL(await sign(client, request));
  } finally {
    client.destroy();
  }
}

function listCommand({
  bucket,
  prefix,
  token,
  maxFiles,
}: Extract<S3Request, { action: "list" }>): ListObjectsV2Command {
  return new ListObjectsV2Command({
    Bucket: bucket,
    Prefix: prefix,
    Delimiter: "/",
    MaxKeys: maxFiles,
    EncodingType: "url",
    ...(token !== null && { ContinuationToken: token }),
  });
}

function sign(client: S3Client, request: S3Request): Promise<string> {
  const options = { expiresIn: VALID_SECONDS };
  switch (request.action) {
    case "get":
      return getSignedUrl(client, new GetObjectCommand({ Bucket: request.bucket, Key: request.key }), options);
    case "list":
      return getSignedUrl(client, listCommand(request), options);
    case "list-buckets":
      return getSignedUrl(client, new ListBucketsCommand({}), options);
  }
}
