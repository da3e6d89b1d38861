/** Requests to an object store. They are signed outside the contract, which has no credentials. */
export type S3Request = S3BucketRequest | { action: "list-buckets" };

export type S3BucketRequest =
  | { action: "get"; bucket: string; key: string }
  /** Lists files whose names begin with `prefix`, without those of folders below; `token` continues a list. */
  | { action: "list"; bucket: string; prefix: string; token: string | null; maxFiles: number };

export type SignedS3Request = {
  /** Grants access: never log it. */
  url: URL;
  /** The origin if it is trusted though it is not public; null otherwise. */
  baseUrl: string | null;
  /** The endpoint's `host:port`, without a bucket's name. */
  endpoint: string;
  /** The connection's name. */
  connection: string;
};
