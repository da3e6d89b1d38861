/** s3rver checks expiry but not signatures, so these tests cannot show that a changed URL is rejected. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type S3Server, startS3Server } from "#tests/support/twins/s3-server.ts";
import type { S3Location } from "./s3-location.ts";
import { openS3Storage } from "./s3-storage.ts";
import type { FileAddresses, Storage } from "../storage.ts";

const KEY = "jobs/1/a b.mp4";
const BYTES = Buffer.from("0123456789".repeat(500));
const OPTIONS = { type: "video/mp4", disposition: null, seconds: 300 };

let server: S3Server;
let folder: string;

beforeAll(async () => {
  server = await startS3Server();
  folder = await mkdtemp(path.join(tmpdir(), "clipmill-s3-addresses-"));
  const local = path.join(folder, "local");
  await writeFile(local, BYTES);
  await (await open()).put(KEY, local);
});
afterEach(() => void vi.useRealTimers());
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

function open(location: Partial<S3Location> = {}): Promise<Storage> {
  return openS3Storage({ ...server.location, ...location }, path.join(folder, "copies"));
}

async function addressesOf(location?: Partial<S3Location>): Promise<FileAddresses> {
  return (await open(location)).addresses!;
}

describe("a presigned URL", () => {
  it("returns exactly the file's bytes or the requested range, with the signed type and name", async () => {
    const disposition = `attachment; filename="a__b.mp4"; filename*=UTF-8''a%20%F0%9F%91%8B%22b.mp4`;
    const addresses = await addressesOf();
    const whole = await fetch(await addresses.of(KEY, { ...OPTIONS, disposition }));
    expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    expect(whole.headers.get("content-disposition")).toBe(disposition);
    expect(Buffer.from(await whole.arrayBuffer()).equals(BYTES)).toBe(true);

    const part = await fetch(await addresses.of(KEY, OPTIONS), { headers: { range: "bytes=10-1009" } });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 10-1009/${BYTES.length}`]);
    expect(part.headers.get("content-disposition")).toBeNull();
    expect(Buffer.from(await part.arrayBuffer()).equals(BYTES.subarray(10, 1010))).toBe(true);
  });

  it("covers content and lifetime with its signature, but nothing that a player adds", async () => {
    const addresses = await addressesOf();
    const address = new URL(await addresses.of(KEY, { ...OPTIONS, disposition: "attachment", seconds: 42 }));
    expect(address.origin).toBe(addresses.origin);
    expect(address.pathname).toBe("/clips/a/prefix/jobs/1/a%20b.mp4");
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
      "X-Amz-Expires": "42",
      "X-Amz-SignedHeaders": "host",
      "X-Amz-Signature": expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      "response-content-type": "video/mp4",
      "response-content-disposition": "attachment",
    });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-03-04T05:06:07Z") });
    const signatureOf = async (options: Partial<typeof OPTIONS>, key = KEY): Promise<string | null> =>
      new URL(await addresses.of(key, { ...OPTIONS, ...options })).searchParams.get("X-Amz-Signature");
    const signatures = await Promise.all([
      signatureOf({}),
      signatureOf({ type: "image/jpeg" }),
      signatureOf({ seconds: 301 }),
      signatureOf({}, "jobs/1/other.mp4"),
    ]);
    expect(new Set(signatures).size).toBe(signatures.length);
    expect(await signatureOf({})).toBe(signatures[0]);
  });

  it("is rejected after it expires", async () => {
    const address = await (await addressesOf()).of(KEY, OPTIONS);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 299_000 });
    expect((await fetch(address)).status).toBe(200);
    vi.setSystemTime(Date.now() + 2_000);
    expect((await fetch(address)).status).toBe(403);
  });

  it("uses the public endpoint if there is one, for nothing else", async () => {
    const addresses = await addressesOf({ publicEndpoint: "https://files.example.com" });
    expect(addresses.origin).toBe("https://files.example.com");
    expect(await addresses.of(KEY, OPTIONS)).toMatch(
      /^https:\/\/files\.example\.com\/clips\/a\/prefix\/jobs\/1\/a%20b/,
    );
  });

  it("accepts only valid storage keys", async () => {
    const addresses = await addressesOf();
    await expect(addresses.of("../other/secret", OPTIONS)).rejects.toMatchObject({ code: "invalid" });
  });
});
