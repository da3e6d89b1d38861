import { afterAll, beforeAll, expect, it } from "vitest";
import { buffer } from "node:stream/consumers";
import { addConnection } from "#operations/connections/change-connection.ts";
import { testDestination } from "#operations/destinations/test-destination.ts";
import { openS3Storage } from "#storage/s3/s3-storage.ts";
import { sha256Of } from "#ground/checksum.ts";
import { type FaultyProxy, startFaultyProxy } from "#tests/support/faults/faulty-proxy.ts";
import { addTestDestination, delivered } from "#tests/support/deliveries/deliveries.ts";
import { completeJob } from "#tests/support/jobs/completed-job.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";
import { type S3Server, startS3Server } from "#tests/support/twins/s3-server.ts";
import type { Storage } from "#storage/storage.ts";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { openS3Target } from "#integrations/destinations/s3/s3-target.ts";
import type { ClaimedDelivery } from "#operations/deliveries/claim-delivery.ts";
import type { Contact } from "#operations/hosts/contact-host.ts";
import { sendUnderFreeName } from "./send-under-free-name.ts";

/** More than one part. */
const LARGE = 17 * 1024 ** 2;
const CUTS = 6;

let server: S3Server;
let proxy: FaultyProxy;
let worker: TestWorker;
let bucket: Storage;
/** Every third write is cut. */
let writes = 0;
let cuts = 0;

beforeAll(async () => {
  server = await startS3Server();
  proxy = await startFaultyProxy(server.port, (request) => {
    if (!/^(PUT|POST)/.test(request) || request.includes(".clipmill-test")) return "none";
    writes += 1;
    if (writes % 3 !== 0 || cuts === CUTS) return "none";
    cuts += 1;
    return cuts % 2 === 0 ? "drop" : "lose response";
  });
  const authority = new URL(proxy.url).host;
  worker = await openTestWorker({ hosts: { privateSources: [authority] } });
  bucket = await openS3Storage({ ...server.location, prefix: "delivered" }, path.join(worker.folder, "copies"));
  await worker.start();
});
afterAll(async () => {
  await worker[Symbol.asyncDispose]();
  await proxy.close();
  await server.close();
});

function connect(secret = "S3RVER") {
  const name = `Archive ${secret}`;
  const keys = { access_key_id: "S3RVER", secret_access_key: secret };
  const fields = { kind: "s3", name, endpoint: proxy.url, path_style: true, region: "us-east-1" };
  return addConnection(worker.context, { ...fields, ...keys });
}

it("delivers each file once over a connection that is cut, and continues large ones", async () => {
  const { id: connection_id } = await connect();
  const place = { kind: "s3", place: server.location.bucket, connection_id } as const;
  const { id } = await addTestDestination(worker.context, { ...place, folder: "delivered/{job}" });
  expect(await testDestination(worker.context, { id })).toEqual({
    ...{ isValid: true, message: "Clipmill can write to this destination." },
  });
  const sizes = [LARGE, ...Array.from({ length: 11 }, (_, i) => 1_000 * i)];
  const job = await completeJob(worker.context, worker.folder, { settings: { destinations: [id] }, sizes });
  expect(await delivered(worker.context, job.id)).toMatchObject({ status: "Completed", files: 12, delivered: 12 });
  expect(cuts).toBe(CUTS);
  for (const { name, sha256 } of job.files) {
    expect([name, sha256Of(await buffer(await bucket.read(`A job/${name}`)))]).toEqual([name, sha256]);
  }
  expect(await server.openUploads()).toEqual([]);
  const { length } = proxy.requests.filter((request) => request.includes("partNumber"));
  expect(length).toBeLessThan(8);
});

const killed = () => Promise.reject(new Error("killed before the upload's ID was stored"));
const unexpected = () => Promise.reject(new Error("The file is there already."));
const contact: Contact = (_host, act) => act(() => {});

it("leaves no unfinished upload of a file that is there, if an attempt ended after its last byte", async () => {
  const keys = { access_key_id: "S3RVER", secret_access_key: "S3RVER", region: "us-east-1" };
  const credentials = { ...keys, endpoint: `http://127.0.0.1:${server.port}`, path_style: true };
  const s3 = { credentials, connection: "S3", bucket: server.location.bucket, isTrusted: true };
  await using target = openS3Target(s3, 1_000);
  const localPath = path.join(worker.folder, "in-parts.mp4");
  await writeFile(localPath, "p".repeat(1_500));
  const file = { localPath, sizeBytes: 1_500, sha256: sha256Of("p".repeat(1_500)) };
  const { signal } = new AbortController();
  let resume: string | null = null;
  const keep = async (state: string | null) => void (resume = state);
  await target.send("in-parts.mp4", file, { signal, replaces: false, resume, onProgress: keep });
  const lost = target.send("in-parts.mp4", file, { signal, replaces: false, resume: null, onProgress: killed });
  await expect(lost).rejects.toThrow("killed");
  expect(await server.openUploads()).toEqual(["in-parts.mp4"]);

  const claim = { destination: { id: "any" } } as ClaimedDelivery;
  const upload = { file, targetPath: "in-parts.mp4", taken: new Set<string>(), resume: () => resume };
  await sendUnderFreeName(
    { claim, target, signal, contact },
    { ...upload, onProgress: unexpected, onRename: unexpected },
  );
  expect(await server.openUploads()).toEqual([]);
});

it("says at once what is wrong with the connection", async () => {
  const { id: connection_id } = await connect("another-secret");
  const place = { kind: "s3", place: "no-such-bucket", connection_id } as const;
  const { id } = await addTestDestination(worker.context, place);
  expect(await testDestination(worker.context, { id })).toMatchObject({ isValid: false });
  const job = await completeJob(worker.context, worker.folder, { settings: { destinations: [id] }, sizes: [5] });
  expect(await delivered(worker.context, job.id)).toMatchObject({ status: "Failed", delivered: 0 });
});
