import type { S3Credentials } from "#integrations/s3/presign-s3.ts";

export type S3Place = {
  credentials: S3Credentials;
  /** The connection's name. */
  connection: string;
  bucket: string;
  /** Whether the endpoint may be off the public network or without https. */
  isTrusted: boolean;
};
