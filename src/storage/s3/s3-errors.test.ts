import { S3ServiceException } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { ClipmillError } from "#contract/errors.ts";
import { explainS3Error } from "./s3-errors.ts";

const LOCATION = { bucket: "clips", prefix: "", endpoint: null, publicEndpoint: null, region: "eu-central-1" };

function explain(name: string, status: number): ClipmillError {
  const details = { name, $fault: "client", $metadata: { httpStatusCode: status, requestId: "R1" } } as const;
  const error = new S3ServiceException({ ...details, message: "signed by AKIAEXAMPLE" });
  Object.assign(error, { AWSAccessKeyId: "AKIAEXAMPLE", StringToSign: "AWS4-HMAC-SHA256", SignatureProvided: "0a1b" });
  return explainS3Error(error, LOCATION, "jobs/1/a") as ClipmillError;
}

describe("an error of an object store", () => {
  it.each([
    ["AccessDenied", 403, "unavailable", 'Access to the bucket "clips" was denied.'],
    ["SignatureDoesNotMatch", 403, "unavailable", 'Access to the bucket "clips" was denied.'],
    ["ExpiredToken", 400, "unavailable", 'Access to the bucket "clips" was denied.'],
    ["NoSuchBucket", 404, "unavailable", 'The bucket "clips" does not exist.'],
    ["PermanentRedirect", 301, "unavailable", "is in a different region."],
    ["SlowDown", 503, "unavailable", "is having problems right now. Retry later."],
    ["XMinioStorageFull", 507, "no_space", "The storage for finished files is full."],
    ["NoSuchKey", 404, "not_found", "This file is not in storage."],
    ["PreconditionFailed", 412, "unavailable", "This file was replaced while it was being read."],
    ["Teapot", 418, "unavailable", "did not respond like an S3 service."],
  ])("%s (%d) is %s in one sentence", (name, status, code, sentence) => {
    const explained = explain(name, status);
    expect(explained.code).toBe(code);
    expect(explained.message).toContain(sentence);
  });

  it("logs the error's type, but neither the signed request nor the key", () => {
    const explained = explain("SignatureDoesNotMatch", 403);
    expect(explained.facts).toMatchObject({ fault: "SignatureDoesNotMatch", status: 403, requestId: "R1" });
    expect(explained.cause).toBeUndefined();
    expect(JSON.stringify([explained, explained.message, explained.stack])).not.toMatch(/AKIA|AWS4|0a1b/);
  });

  it("is returned unchanged if it is not the store's", () => {
    const other = new TypeError("a bug");
    expect(explainS3Error(other, LOCATION, null)).toBe(other);
  });
});
