import { isBucketName } from "../../../connections/kinds/s3.ts";
import type { LinkHost } from "../../link-host.ts";

/** S3 URIs are not percent-encoded: `#`, `?` and `%` belong to the key. */
const FILE = /^s3:\/\/([^/]+)\/(.*[^/])$/i;
/** A bucket, or a prefix that ends with a slash. */
const FOLDER = /^s3:\/\/([^/]+)\/((?:.*\/)?)$/i;
/** docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html */
const MAX_KEY_BYTES = 1_024;

/** `s3://bucket/key`; `id` is `bucket/key`. */
export const s3Links: LinkHost = {
  name: "s3",
  label: "S3",
  uses: ["video", "music", "subtitles"],
  isOptional: true,
  domains: [],
  parse: (_url, text) => readFile(text),
  parseFolder(_url, text) {
    const [, bucket, prefix] = FOLDER.exec(text) ?? [];
    return bucket !== undefined && prefix !== undefined && isBucketName(bucket)
      ? { id: `${bucket}/${prefix}`, accessKey: null }
      : null;
  },
  explain(url, text) {
    if (url.protocol !== "s3:" || readFile(text)) return null;
    const bucket = /^s3:\/\/([^/]*)/i.exec(text)?.[1] ?? "";
    return isBucketName(bucket) ? "not a file: write s3://bucket/clip.mp4" : "not a bucket: write s3://bucket/clip.mp4";
  },
  partOf: ({ id }) => bucketOf(id),
  labelOfPart: (bucket) => `The bucket "${bucket}"`,
  nameOf: ({ id }) => id.slice(id.lastIndexOf("/") + 1),
  addressOf: () => null,
};

function readFile(text: string): { id: string; accessKey: null } | null {
  const [, bucket, key] = FILE.exec(text) ?? [];
  if (bucket === undefined || key === undefined || !isBucketName(bucket)) return null;
  return new TextEncoder().encode(key).length > MAX_KEY_BYTES ? null : { id: `${bucket}/${key}`, accessKey: null };
}

export function bucketOf(id: string): string {
  return id.slice(0, id.indexOf("/"));
}

export function keyOf(id: string): string {
  return id.slice(id.indexOf("/") + 1);
}
