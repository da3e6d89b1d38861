import { CONNECTION_LIMITS } from "../connections.ts";
import { type KindRules, textOf } from "./connection-kind.ts";

/** Part of host names (docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html). */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Part of Amazon's host names. */
const REGION = /^[a-z0-9-]{1,50}$/i;
const KEY = /^[\x21-\x7e]+$/;

export function isBucketName(name: string): boolean {
  return BUCKET.test(name) && !name.includes("..");
}

/** "" means Amazon S3. */
export function problemOfEndpoint(endpoint: string): string | null {
  if (endpoint === "") return null;
  const url = URL.parse(endpoint);
  if (!url || !/^https?:\/\//i.test(endpoint)) return "The endpoint must start with https://.";
  if (url.username || url.password) return "The endpoint must not contain credentials.";
  return url.search || url.hash ? "The endpoint must not contain ? or #." : null;
}

function problemOfRegion(region: string, endpoint: string): string | null {
  if (region === "") return endpoint === "" ? "Enter the region of the buckets, such as us-east-1." : null;
  return REGION.test(region) ? null : "Regions contain only letters, digits and hyphens, such as us-east-1.";
}

function problemOfAccessKey(key: string): string | null {
  if (key === "") return "Enter the access key ID.";
  return KEY.test(key) ? null : "An access key ID can't contain spaces or special characters.";
}

function problemOfSecret(secret: string): string | null {
  return KEY.test(secret) || secret === "" ? null : "A secret access key can't contain spaces or special characters.";
}

function problemOfBuckets(buckets: readonly string[]): string | null {
  const wrong = buckets.find((bucket) => !isBucketName(bucket));
  if (wrong !== undefined) {
    return `"${wrong.slice(0, 63)}" is not a bucket name. Names have 3 to 63 lowercase letters, digits, dots and hyphens.`;
  }
  return buckets.length > CONNECTION_LIMITS.buckets ? "A connection can list at most 100 buckets." : null;
}

/** Most stores other than Amazon's accept any region. */
const DEFAULT_REGION = "us-east-1";

function regionOf(region: string): string {
  return region === "" ? DEFAULT_REGION : region.toLowerCase();
}

export const s3Kind: KindRules<"s3"> = {
  kind: "s3",
  label: "S3",
  text: "Amazon S3 or a compatible store",
  fields: [
    {
      name: "endpoint",
      label: "Endpoint",
      type: "text",
      placeholder: "https://",
      hint: "Leave empty for Amazon S3.",
      maxCharacters: CONNECTION_LIMITS.endpointCharacters,
      problemOf: problemOfEndpoint,
      affects: "region",
    },
    {
      name: "region",
      label: "Region",
      type: "text",
      hint: "Such as us-east-1. Optional with an endpoint.",
      problemOf: (region, fields) => problemOfRegion(region, textOf(fields, "endpoint")),
    },
    { name: "access_key_id", label: "Access key ID", type: "text", problemOf: problemOfAccessKey },
    { name: "secret_access_key", label: "Secret access key", type: "secret", problemOf: problemOfSecret },
    {
      name: "buckets",
      label: "Buckets",
      type: "lines",
      hint: "One per line. Leave empty for all buckets that no other connection lists.",
      problemOfLines: problemOfBuckets,
    },
    {
      name: "path_style",
      label: "Path-style addresses",
      type: "switch",
      hint: "Most stores other than Amazon S3, such as MinIO, need this.",
      isOnWith: "endpoint",
    },
  ],
  toSettings: (fields) => ({
    endpoint: textOf(fields, "endpoint").replace(/\/+$/, "") || null,
    region: regionOf(textOf(fields, "region")),
    access_key_id: textOf(fields, "access_key_id"),
    buckets: [...(fields["buckets"] as readonly string[])],
    path_style: fields["path_style"] === true,
  }),
  problemOfSecret: ({ secret_access_key: secret }) => (secret ? null : "Enter the secret access key."),
  endingOf: "secret_access_key",
};
