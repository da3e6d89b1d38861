import { createHash, createHmac } from "node:crypto";

type SignedRequest = { method: string; path: string; headers: Record<string, string | string[] | undefined> };

/**
 * Returns true for a presigned URL whose signature version 4 was made with `secret`
 * (docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html, read 2026-11-22). s3rver does not check it.
 */
export function isSignedWith(secret: string, { method, path, headers }: SignedRequest): boolean {
  const [file = "", query = ""] = path.split(/\?(.*)/s);
  const fields = new URLSearchParams(query);
  const [, day, region, service, end] = (fields.get("X-Amz-Credential") ?? "").split("/");
  const signed = query.split("&").filter((field) => !field.startsWith("X-Amz-Signature="));
  const names = (fields.get("X-Amz-SignedHeaders") ?? "").split(";");
  const lines = names.map((name) => `${name}:${String(headers[name]).trim()}`);
  const parts = [method, file, signed.toSorted().join("&"), ...lines, "", names.join(";"), "UNSIGNED-PAYLOAD"];
  const canonical = parts.join("\n");
  const hash = createHash("sha256").update(canonical).digest("hex");
  const scope = [day, region, service, end].join("/");
  const text = ["AWS4-HMAC-SHA256", fields.get("X-Amz-Date"), scope, hash].join("\n");
  const steps = [day, region, service, end, text];
  const signature = steps.reduce<string | Buffer>(
    (key, part) => createHmac("sha256", key).update(part!).digest(),
    `AWS4${secret}`,
  );
  return (signature as Buffer).toString("hex") === fields.get("X-Amz-Signature");
}
