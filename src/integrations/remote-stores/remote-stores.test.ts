import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, unlink } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { addConnectionSchema } from "#contract/connections/connection-requests.ts";
import { ClipmillError } from "#contract/errors.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { startDriveAccountTwin } from "#tests/support/twins/stores/drive-account-twin.ts";
import { startDropboxApiTwin } from "#tests/support/twins/stores/dropbox-api-twin.ts";
import { startSftpServer } from "#tests/support/twins/stores/sftp-server.ts";
import { createSourceGet } from "../sources/source-http.ts";
import { checksumOfStream } from "./checksums.ts";
import { openDriveAccount } from "./drive/open-drive.ts";
import { openDropbox } from "./dropbox/open-dropbox.ts";
import type { RemoteEntry, RemoteStore, UploadSource } from "./remote-store.ts";
import { openSftp } from "./sftp/open-sftp.ts";

const folder = await makeScratchFolder();
const stack: AsyncDisposableStack[] = [];
afterEach(async () => await stack.pop()?.disposeAsync());

/** Longer than two chunks of every store. */
const BYTES = Buffer.from(Array.from({ length: 20_000_001 }, (_, i) => (i * 7 + Math.floor(i / 256)) % 256));

type Opened = {
  root: string;
  open(): Promise<RemoteStore>;
  cutUpload(): void;
  /** The service forgets unfinished uploads. */
  forget(): Promise<void>;
  sentBytes(): number;
  read(): Promise<Record<string, Buffer | null>>;
};

const signal = new AbortController().signal;
const get = createSourceGet({ signal, stallSeconds: 2 });

function parse(fields: object) {
  const parsed = addConnectionSchema.parse({ name: "A store", ...fields });
  return parsed as unknown as { name: string; settings: never; secret: never };
}

const STORES: Record<string, () => Promise<Opened & { close(): Promise<void> }>> = {
  async Dropbox() {
    const twin = await startDropboxApiTwin();
    return {
      root: "",
      open: async () => openDropbox(parse(twin.fields), { get, baseUrls: twin.environment }),
      cutUpload: () => void twin.faults.push({ path: "append_v2", response: "cutAfter" }),
      forget: async () => twin.dropSessions(),
      sentBytes: () => twin.sentBytes(),
      read: async () => Object.fromEntries(Object.entries(twin.read()).map(([name, bytes]) => [name.slice(1), bytes])),
      close: () => twin.close(),
    };
  },
  async "Google Drive"() {
    const twin = await startDriveAccountTwin();
    return {
      root: "root",
      open: async () => openDriveAccount(parse(twin.fields), { get, baseUrls: twin.environment }),
      // The first request starts the session.
      cutUpload: () => void twin.faults.push({ path: "/upload/", response: "cutAfter" }),
      forget: async () => twin.dropSessions(),
      sentBytes: () => twin.sentBytes(),
      read: async () => twin.read(),
      close: () => twin.close(),
    };
  },
  async SFTP() {
    const home = await mkdtemp(path.join(folder, "sftp-"));
    const server = await startSftpServer(home);
    const privateSources = [`127.0.0.1:${server.port}`];
    return {
      root: "",
      open: () => openSftp(parse(server.fields), { signal, privateSources }),
      cutUpload: () => {
        server.cutAfterBytes = 9_000_000;
      },
      forget: async () => {
        for (const name of await readdir(home)) if (name.endsWith(".part")) await unlink(path.join(home, name));
      },
      sentBytes: () => server.writtenBytes(),
      async read() {
        const names = (await readdir(home, { withFileTypes: true })).filter((entry) => !entry.name.endsWith(".part"));
        const files = names.map(async (entry) => [
          entry.name,
          entry.isFile() ? await readFile(path.join(home, entry.name)) : null,
        ]);
        return Object.fromEntries(await Promise.all(files));
      },
      close: () => server.close(),
    };
  },
};

async function start(name: string): Promise<Opened & { store: RemoteStore }> {
  const own = new AsyncDisposableStack();
  stack.push(own);
  const opened = await STORES[name]!();
  own.defer(() => opened.close());
  const store = await opened.open();
  own.defer(() => store.close());
  return { ...opened, store };
}

function sourceOf(
  bytes: Buffer,
  checkpoints: string[] = [],
  checkpoint: string | null | undefined = null,
): UploadSource {
  return {
    sizeBytes: bytes.length,
    read: (from) => Readable.from(chunksOf(bytes.subarray(from))),
    checkpoint: checkpoint ?? null,
    onCheckpoint: async (text) => void checkpoints.push(text),
  };
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

async function namesIn(store: RemoteStore, of: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of store.list(of)) if (!name.endsWith(".part")) names.push(name);
  return names.toSorted();
}

async function bytesOf(store: RemoteStore, entry: RemoteEntry, range?: { start: number; end: number | null }) {
  const parts: Buffer[] = [];
  for await (const part of await store.download(entry, range)) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

describe.each(Object.keys(STORES))("the folders of %s", (name) => {
  it("take files, list them, and return their bytes and checksums", async () => {
    const { store, root } = await start(name);
    const clips = await store.ensureFolder(root, "Клипы 'a' - b");
    expect(await store.ensureFolder(root, "Клипы 'a' - b")).toBe(clips);
    const small = Buffer.from("a small file");
    const uploaded = await store.upload(clips, "Море 1.mp4", sourceOf(small));
    expect(uploaded).toMatchObject({ name: "Море 1.mp4", sizeBytes: small.length, isFolder: false });
    expect(await store.find(clips, "Море 1.mp4")).toMatchObject({ id: uploaded.id, sizeBytes: small.length });
    expect(await store.find(clips, "other.mp4")).toBeNull();
    expect(await namesIn(store, clips)).toEqual(["Море 1.mp4"]);
    expect(await bytesOf(store, uploaded)).toEqual(small);
    expect(await bytesOf(store, uploaded, { start: 2, end: 6 })).toEqual(Buffer.from("small"));
    const checksum = await store.checksum(uploaded);
    expect(checksum).toEqual(await checksumOfStream(checksum.algorithm, [small] as never));
    await store.upload(clips, "Море 1.mp4", sourceOf(Buffer.from("")));
    expect(await namesIn(store, clips)).toEqual(["Море 1.mp4"]);
    expect((await store.find(clips, "Море 1.mp4"))?.sizeBytes).toBe(0);
    await store.rename(clips, uploaded, "sea.mp4");
    expect(await namesIn(store, clips)).toEqual(["sea.mp4"]);
    const renamed = (await store.find(clips, "sea.mp4"))!;
    await store.remove(renamed);
    await store.remove(renamed);
    expect(await namesIn(store, clips)).toEqual([]);
  });

  it("list all files of a large folder", async () => {
    const { store, root } = await start(name);
    const several = Array.from({ length: 120 }, (_, number) => `clip ${number}.mp4`);
    for (const one of several) await store.upload(root, one, sourceOf(Buffer.from(one)));
    expect(await namesIn(store, root)).toEqual(several.toSorted());
  });

  it("continue an interrupted upload, and never show a part of it", async () => {
    const opened = await start(name);
    const { root } = opened;
    const checkpoints: string[] = [];
    const first = await opened.open();
    const large = sourceOf(BYTES, checkpoints);
    const cut = first.upload(root, "large.mp4", {
      ...large,
      async onCheckpoint(text) {
        await large.onCheckpoint(text);
        if (checkpoints.length === 1) opened.cutUpload();
      },
    });
    const failure: unknown = await cut.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ClipmillError);
    expect(failure).toMatchObject({ code: "network", isRetryable: true });
    await first.close();
    expect(await opened.read()).not.toHaveProperty(["large.mp4"]);
    const second = await opened.open();
    await second.upload(root, "large.mp4", sourceOf(BYTES, checkpoints, checkpoints.at(-1)));
    await second.close();
    expect(sha((await opened.read())["large.mp4"]!)).toBe(sha(BYTES));
    // At most one chunk, or one window, twice.
    expect(opened.sentBytes()).toBeLessThan(BYTES.length + 9_000_000);
  });

  it("start again if the service forgot an interrupted upload", async () => {
    const opened = await start(name);
    const { root, store } = opened;
    const bytes = Buffer.from("whole");
    const checkpoints: string[] = [];
    await store.upload(root, "a.mp4", sourceOf(bytes, checkpoints));
    await opened.forget();
    await store.upload(root, "a.mp4", sourceOf(bytes, [], checkpoints.at(-1)));
    expect((await opened.read())["a.mp4"]).toEqual(bytes);
    await store.upload(root, "b.mp4", sourceOf(bytes, [], name === "Google Drive" ? null : "nonsense"));
    expect((await opened.read())["b.mp4"]).toEqual(bytes);
  });
});

function sha(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
