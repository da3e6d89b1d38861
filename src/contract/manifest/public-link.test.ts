import { expect, it } from "vitest";
import { publicLink } from "./public-link.ts";

it.each([
  "https://drive.google.com/file/d/1x8Qm4tB0vWc2kYp7RzN5sLd9HfJ3gAeU/view?usp=sharing&resourcekey=0-AbC",
  "https://drive.google.com/open?id=1x8Qm4tB0vWc2kYp7RzN5sLd9HfJ3gAeU",
  "https://www.dropbox.com/scl/fi/abc123/clip.mp4?rlkey=9w8e7r6t5y4u3i2o1p0a9s8d&dl=0",
  "https://1drv.ms/v/s!AbCdEfGhIjKlMnOpQr12",
  "https://www.instagram.com/reel/AbC_123/",
  "https://clipmill.local/file/d/1x8Qm4tB0vWc2kYp7RzN5s",
  "s3://bucket/a key?token=part of the key",
  "https://example.com/watch/clip.mp4?id=42&name=b%C3%A9",
  "not a link",
])("%s stays as it is", (link) => {
  expect(publicLink(link)).toBe(link);
});

const SIGNATURE = "6f1ed002ab5595859014ebf0951522d9f1a2b3c4d5e6f708192a3b4c5d6e7f80";

it.each([
  [
    `https://b.s3.amazonaws.com/a.mp4?X-Amz-Expires=60&X-Amz-Signature=${SIGNATURE}&id=1`,
    "https://b.s3.amazonaws.com/a.mp4?id=1",
  ],
  [
    `https://x.blob.core.windows.net/c/a.mp4?sv=2022&sp=r&se=2026-01-01&sig=a%2Fb`,
    "https://x.blob.core.windows.net/c/a.mp4?sv=2022",
  ],
  [`https://d1.cloudfront.net/a.mp4?Expires=1&Signature=a&Key-Pair-Id=K`, "https://d1.cloudfront.net/a.mp4"],
  [`https://example.com/a.mp4?v=2&access%5Ftoken=abc`, "https://example.com/a.mp4?v=2"],
  [`https://example.com/a.mp4?x=${SIGNATURE}`, "https://example.com/a.mp4"],
  ["https://user:word@example.com/a.mp4#token=1", "https://example.com/a.mp4"],
  ["example.com/a.mp4?token=1&t=3", "example.com/a.mp4?t=3"],
  ["https://www.dropbox.com/scl/fi/a/c.mp4?rlkey=k&st=abc&dl=0", "https://www.dropbox.com/scl/fi/a/c.mp4?rlkey=k&dl=0"],
  ["https://www.dropbox.com/transfer/a?token=1", "https://www.dropbox.com/transfer/a"],
])("%s loses what grants access", (link, expected) => {
  expect(publicLink(link)).toBe(expected);
});
