/** Extends s3rver by listing and aborting multipart uploads, and by signatures. */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
// @ts-expect-error: it comes without types.
import Untyped from "s3rver";
import type { S3Location } from "#storage/s3/s3-location.ts";
import { isSignedWith } from "./s3-signature.ts";

type Uploaded = { bucket: string; key: string; content: AsyncIterable<Uint8Array> };
type Listing = { isTruncated: boolean };
type Exchange = {
  method: string;
  path: string;
  query: Record<string, string | undefined>;
  status: number;
  type: string;
  body: string;
  url: string;
  headers: Record<string, string | undefined>;
};
type Server = {
  middleware: ((exchange: Exchange, next: () => Promise<void>) => Promise<void>)[];
  logger: { close(): void };
  store: {
    listObjects(...options: unknown[]): Promise<Listing>;
    putObject(object: Uploaded): Promise<{ size: number }>;
    getResourcePath(bucket: string, key: string, kind: "object"): string;
  };
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
};
const S3rver = Untyped as new (options: Record<string, unknown>) => Server;

const BUCKET = "clips";
const PREFIX = "a/prefix";
const CREDENTIALS = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };

export type S3Server = {
  port: number;
  location: S3Location;
  environment: Record<string, string>;
  uploadsFolder: string;
  list(folder: string): Promise<string[]>;
  openUploads(): Promise<string[]>;
  close(): Promise<void>;
};

/** Runs in this process, with one bucket. Its credentials are in the environment until it is closed. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(path.join(os.tmpdir(), "clipmill-s3-"));
  const uploadsFolder = path.join(directory, BUCKET, "._S3rver_uploads");
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET }],
  });
  server.middleware.unshift(rejectWrongSignature);
  server.middleware.unshift((exchange, next) => serveUploads(uploadsFolder, exchange, next));
  // Otherwise its last requests fail when they log after the close.
  server.logger.close = () => {};
  // Its continuation token needs a cipher that Node no longer supports.
  const listObjects = server.store.listObjects.bind(server.store);
  server.store.listObjects = async (...options) => ({ ...(await listObjects(...options)), isTruncated: false });
  const checksums = new Map<string, string | undefined>();
  server.middleware.unshift(async ({ method, path: address, headers }, next) => {
    if (method === "PUT") checksums.set(decodeURIComponent(address), headers["x-amz-checksum-sha256"]);
    await next();
  });
  keepWholeObjects(server.store, (bucket, key) => checksums.get(`/${bucket}/${key}`));
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  const before = Object.keys(CREDENTIALS).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, CREDENTIALS);
  return {
    port,
    location: { bucket: BUCKET, prefix: PREFIX, endpoint, publicEndpoint: null, region: "us-east-1" },
    environment: { STORAGE_URL: `s3://${BUCKET}/${PREFIX}?endpoint=${endpoint}`, ...CREDENTIALS },
    uploadsFolder,
    async list(folder) {
      const names = await readdir(path.join(directory, BUCKET, PREFIX, folder)).catch(() => []);
      return names.filter((name) => name.endsWith(OBJECT)).map((name) => name.slice(0, -OBJECT.length));
    },
    openUploads: async () => (await readUploads(uploadsFolder)).map(({ key }) => key),
    async close() {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** S3 stores complete objects only. s3rver keeps what it received when a client disconnects, and responds too early. */
function keepWholeObjects(
  store: Server["store"],
  checksumOf: (bucket: string, key: string) => string | undefined,
): void {
  const putObject = store.putObject.bind(store);
  store.putObject = async (object) => {
    const pieces = await Array.fromAsync(object.content);
    const stated = checksumOf(object.bucket, object.key);
    const hash = createHash("sha256").update(Buffer.concat(pieces)).digest("base64");
    if (stated !== undefined && stated !== hash) throw new Error("The content has another checksum.");
    object.content = Readable.from(pieces);
    const stored = await putObject(object);
    const file = store.getResourcePath(object.bucket, object.key, "object");
    while ((await stat(file)).size < stored.size) await setImmediate();
    return stored;
  };
}

const OBJECT = "._S3rver_object";

async function readUploads(folder: string): Promise<{ id: string; key: string; initiatedAt: Date }[]> {
  await mkdir(folder, { recursive: true });
  const found = await Promise.all(
    (await readdir(folder)).map(async (id) => {
      const keyFile = path.join(folder, id, "key");
      // The end of an upload deletes its key; a part in flight may then recreate its folder.
      const key = await readFile(keyFile, "utf8").catch(() => null);
      const facts = await stat(keyFile).catch(() => null);
      return key === null || facts === null ? [] : [{ id, key, initiatedAt: facts.mtime }];
    }),
  );
  return found.flat();
}

async function rejectWrongSignature(exchange: Exchange, next: () => Promise<void>): Promise<void> {
  const { method, query, url: path, headers } = exchange;
  const isOwnKey = query["X-Amz-Credential"]?.startsWith(`${CREDENTIALS.AWS_ACCESS_KEY_ID}/`) === true;
  if (!isOwnKey || isSignedWith(CREDENTIALS.AWS_SECRET_ACCESS_KEY, { method, path, headers })) return await next();
  Object.assign(exchange, {
    type: "application/xml",
    body: "<Error><Code>SignatureDoesNotMatch</Code></Error>",
    status: 403,
  });
}

async function serveUploads(folder: string, exchange: Exchange, next: () => Promise<void>): Promise<void> {
  const { method, query } = exchange;
  const respond = (status: number, body: string): void => {
    Object.assign(exchange, { type: "application/xml", body, status });
  };
  if (method === "GET" && "uploads" in query) {
    const found = (await readUploads(folder)).filter(({ key }) => key.startsWith(query["prefix"] ?? ""));
    const rows = found.map(
      ({ id, key, initiatedAt }) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiatedAt.toISOString()}</Initiated></Upload>`,
    );
    return respond(200, `<ListMultipartUploadsResult>${rows.join("")}</ListMultipartUploadsResult>`);
  }
  const id = query["uploadId"];
  if (id === undefined) return await next();
  const upload = path.join(folder, path.basename(id));
  // A late part would reopen an ended upload.
  if (!(await stat(path.join(upload, "key")).catch(() => null))) {
    return respond(404, "<Error><Code>NoSuchUpload</Code><Message>There is no such upload.</Message></Error>");
  }
  if (method !== "DELETE") return await next();
  await rm(upload, { recursive: true, force: true });
  return respond(204, "");
}
