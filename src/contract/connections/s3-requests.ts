export type S3Request = S3BucketRequest | { action: "list-buckets" };

export type S3BucketRequest =
  | { action: "get"; bucket: string; key: string }
  /** Files whose names begin with `prefix`, without subfolders; `token` continues a list. */
  | { action: "list"; bucket: string; prefix: string; token: string | null; maxFiles: number };

export type SignedS3Request = {
  /** Grants access: never log it. */
  url: URL;
  /** The origin, if trusted though not public. */
  baseUrl: string | null;
  /** `host:port`, without the bucket. */
  endpoint: string;
  connection: string;
};
