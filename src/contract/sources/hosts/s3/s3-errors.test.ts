import { expect, it } from "vitest";
import { explainS3Response } from "./s3-errors.ts";

const NOW = Date.parse("2026-11-22T12:00:00Z");
const GET = { action: "get", bucket: "clips", key: "a.mp4" } as const;

type S3Response = { status: number; code?: string; headers?: Record<string, string>; more?: string };

function explain(
  { status, code, headers = {}, more = "" }: S3Response,
  request: Parameters<typeof explainS3Response>[2] = GET,
) {
  const body = code === undefined ? "" : `<?xml version="1.0"?><Error><Code>${code}</Code>${more}</Error>`;
  const { code: kind, message } = explainS3Response(
    { status, headers, retryAfterSeconds: null },
    body,
    request,
    "Archive",
    NOW,
  );
  return [kind, message];
}

// The statuses and codes of docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, read 2026-11-22.
it.each<[S3Response, string, string]>([
  [{ status: 403, code: "InvalidAccessKeyId" }, "bad_key", "The access key ID is not valid."],
  [{ status: 403, code: "SignatureDoesNotMatch" }, "bad_key", "The secret access key is wrong."],
  [{ status: 400, code: "ExpiredToken" }, "bad_key", "The access key has expired."],
  [{ status: 403, code: "RequestTimeTooSkewed" }, "bad_key", "The clock of this machine is wrong"],
  [
    { status: 403, code: "AccessDenied", headers: { date: "Sun, 22 Nov 2026 12:20:00 GMT" } },
    "bad_key",
    "The clock of this machine is wrong",
  ],
  [
    { status: 403, code: "AccessDenied", headers: { date: "Sun, 22 Nov 2026 12:10:00 GMT" } },
    "not_shared",
    'The connection "Archive" does not have permission to read this file, or the file does not exist.',
  ],
  [
    { status: 301, code: "PermanentRedirect", headers: { "x-amz-bucket-region": "eu-west-1" } },
    "bad_key",
    'The bucket "clips" is in the region eu-west-1. Correct the region of the connection "Archive"',
  ],
  [
    { status: 400, code: "AuthorizationQueryParametersError", more: "<Region>eu-north-1</Region>" },
    "bad_key",
    'The bucket "clips" is in the region eu-north-1.',
  ],
  [{ status: 307 }, "bad_key", 'The bucket "clips" is in another region.'],
  [{ status: 404, code: "NoSuchBucket" }, "source_not_found", 'The bucket "clips" does not exist.'],
  [{ status: 404, code: "NoSuchKey" }, "source_not_found", 'The bucket "clips" has no file with this name.'],
  [{ status: 403, code: "InvalidObjectState" }, "not_shared", "This file is archived."],
  [{ status: 416, code: "InvalidRange" }, "not_a_video", "This file is empty."],
  [{ status: 503, code: "SlowDown" }, "rate_limited", 'The bucket "clips" is limiting requests.'],
  [{ status: 500, code: "InternalError" }, "network", 'The bucket "clips" is having problems right now.'],
  [{ status: 418 }, "bad_link", 'The bucket "clips" did not respond like an S3 service.'],
])("explains %j", (response, code, sentence) => {
  expect(explain(response)).toEqual([code, expect.stringContaining(sentence)]);
});

it("distinguishes a key that may not list from one that is wrong", () => {
  const denied = { status: 403, code: "AccessDenied" };
  expect(explain(denied, { action: "list", bucket: "clips", prefix: "", token: null, maxFiles: 1 })[1]).toContain(
    "The key is valid, but it does not have permission to list",
  );
  expect(explain(denied, { action: "list-buckets" })[1]).toContain("does not have permission to list buckets");
});

it("does not repeat what a hostile store says", () => {
  const [, sentence] = explain({ status: 301, code: "PermanentRedirect", more: "<Region>evil and more</Region>" });
  expect(sentence).toContain("is in another region");
});
