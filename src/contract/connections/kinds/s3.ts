import { CONNECTION_LIMITS } from "../connections.ts";
import { type KindRules, textOf } from "./connection-kind.ts";
import {
  faultOfAccessKey,
  faultOfBuckets,
  faultOfEndpoint,
  faultOfRegion,
  faultOfSecret,
  regionOf,
} from "./s3-fields.ts";

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
      faultOf: faultOfEndpoint,
      affects: "region",
    },
    {
      name: "region",
      label: "Region",
      type: "text",
      hint: "Such as us-east-1. Optional with an endpoint.",
      faultOf: (region, fields) => faultOfRegion(region, textOf(fields, "endpoint")),
    },
    { name: "access_key_id", label: "Access key ID", type: "text", faultOf: faultOfAccessKey },
    { name: "secret_access_key", label: "Secret access key", type: "secret", faultOf: faultOfSecret },
    {
      name: "buckets",
      label: "Buckets",
      type: "lines",
      hint: "One per line. Leave empty for all buckets that no other connection lists.",
      faultOfLines: faultOfBuckets,
    },
    {
      name: "path_style",
      label: "Path-style addresses",
      type: "switch",
      hint: "Most stores other than Amazon S3, such as MinIO, need this.",
    },
  ],
  toSettings: (fields) => ({
    endpoint: textOf(fields, "endpoint").replace(/\/+$/, "") || null,
    region: regionOf(textOf(fields, "region")),
    access_key_id: textOf(fields, "access_key_id"),
    buckets: [...(fields["buckets"] as readonly string[])],
    path_style: fields["path_style"] === true,
  }),
  faultOfSecret: ({ secret_access_key: secret }) => (secret ? null : "Enter the secret access key."),
  endingOf: "secret_access_key",
};
