import { describe, expect, it } from "vitest";
import { readS3Location } from "./s3-location.ts";

describe("readS3Location", () => {
  it.each([
    [
      "s3://clips?region=eu-central-1",
      { bucket: "clips", prefix: "", endpoint: null, publicEndpoint: null, region: "eu-central-1" },
    ],
    [
      "s3://my.clips/a/b/?endpoint=http://127.0.0.1:9000",
      {
        bucket: "my.clips",
        prefix: "a/b",
        endpoint: "http://127.0.0.1:9000",
        publicEndpoint: null,
        region: "us-east-1",
      },
    ],
    [
      "s3://clips/a?endpoint=https%3A%2F%2Fs3.example.com&region=auto",
      { bucket: "clips", prefix: "a", endpoint: "https://s3.example.com", publicEndpoint: null, region: "auto" },
    ],
    [
      "s3://clips?endpoint=http://storage:3900&public=https://files.example.com&region=garage",
      {
        bucket: "clips",
        prefix: "",
        endpoint: "http://storage:3900",
        publicEndpoint: "https://files.example.com",
        region: "garage",
      },
    ],
  ])("reads %s", (text, location) => {
    expect(readS3Location(text)).toEqual(location);
  });

  it.each([
    ["https://clips", "must start with s3://"],
    ["clips", "must start with s3://"],
    ["s3://AKIA:hunter2@clips?region=x", "must not contain credentials"],
    ["s3://clips?endpoint=https://AKIA:hunter2@host", "must not contain credentials in an endpoint"],
    ["s3://clips?endpoint=http://a&public=https://AKIA:hunter2@b", "must not contain credentials in a public address"],
    ["s3://clips?endpoint=http://a&public=b", "must have a public address"],
    ["s3://clips?region=x&public=https://b", "only together with endpoint"],
    ["s3://?region=x", "must name a bucket"],
    ["s3://Clips_1?region=x", "must name a bucket"],
    ["s3://clips/a//b?region=x", "must have a prefix of only"],
    ["s3://clips/.hidden?region=x", "must have a prefix of only"],
    ["s3://clips", "must set a region"],
    ["s3://clips?endpoint=ftp://host", "must have an endpoint"],
    ["s3://clips?region=x&secret=hunter2", "supports only the query parameters endpoint, public and region"],
  ])("explains what is wrong with %s without quoting it", (text, problem) => {
    const found = readS3Location(text);
    expect(found).toEqual({ problem: expect.stringContaining(problem) as string });
    expect(JSON.stringify(found)).not.toContain("hunter2");
  });
});
