import { readdir, readFile, writeFile } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LibraryFile } from "#contract/calls.ts";
import { drawMissingThumbnails } from "#operations/library/draw-thumbnail.ts";
import { prepareIntake } from "#operations/library/upload-intake.ts";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { ANIMATED_WEBP, joinPng, makePng, pngChunk, pngHeader, WEBP } from "#tests/support/media/make-image.ts";
import { framePixels } from "#tests/support/media/measure.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { STORAGES } from "#tests/support/servers/storages.ts";

async function readError(response: http.IncomingMessage): Promise<{ status: number; error: string | undefined }> {
  const { error } = JSON.parse(Buffer.concat(await response.toArray()).toString()) as { error?: string };
  return { status: response.statusCode!, error };
}

const rejectDrawing = () => Promise.reject(new Error("A picture was drawn again."));

describe.each(STORAGES)("with files in $kind,", ({ openStorage }) => {
  let server: TestServer;
  let token: string;
  let files: string;

  beforeAll(async () => {
    server = await startTestServer(undefined, { openStorage });
    files = server.folder;
    token = (await server.client.auth.getSession()).data.session!.access_token;
    await makeClip(path.join(files, "clip.mp4"), { seconds: 1 });
    await makeClip(path.join(files, "mute.mp4"), { seconds: 0.5, toneHz: null });
    await makeTone(path.join(files, "tone.mp3"), { frequencyHz: 440, seconds: 1 });
    await writeFile(path.join(files, "notes.mp4"), "Not a video at all. ".repeat(2_000));
    await writeFile(path.join(files, "playlist.mp4"), "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n");
    const clip = await readFile(path.join(files, "clip.mp4"));
    await writeFile(path.join(files, "half.mp4"), clip.subarray(0, clip.length / 3));
    await writeFile(path.join(files, "empty.mp4"), "");
  });
  afterAll(() => server.close());

  const drawing = () => ({ folder: files, signal: new AbortController().signal });

  type Received = { status: number; body: { data?: LibraryFile; isDuplicate?: boolean; error?: string } };

  async function upload(file: string, query: Record<string, string> = {}): Promise<Received> {
    const response = await fetch(`${server.url}/uploads?${new URLSearchParams({ name: file, ...query })}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: await readFile(path.join(files, file)),
    });
    return { status: response.status, body: (await response.json()) as Received["body"] };
  }

  async function library(): Promise<LibraryFile[]> {
    const { data } = await server.client.functions.invoke<{ data: LibraryFile[] }>("library", {
      body: { method: "GET" },
    });
    return data!.data;
  }

  async function deleteFile(id: string): Promise<{ status: number; error?: string }> {
    const response = await fetch(`${server.url}/functions/v1/library`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ method: "DELETE", id }),
    });
    const { error } = (await response.json()) as { error?: string };
    return { status: response.status, ...(error !== undefined && { error }) };
  }

  async function filesOnDisk(): Promise<string[]> {
    return [...(await server.listStored("library")), ...(await readdir(path.join(server.folder, "uploads")))];
  }

  describe("an upload", () => {
    it("becomes a library file with a link, the same bytes, its duration and size", async () => {
      const { status, body } = await upload("clip.mp4");
      expect(status).toBe(200);
      const bytes = await readFile(path.join(files, "clip.mp4"));
      expect(body.data).toMatchObject({ name: "clip.mp4", kind: "video", sizeBytes: bytes.length, isSample: false });
      expect(body.data!.link).toBe(`https://clipmill.local/file/d/${body.data!.id}`);
      expect(body.data!.durationSeconds).toBeCloseTo(1, 0);
      expect(await library()).toEqual([body.data]);
      expect(await buffer(await server.context.storage.read(`library/${body.data!.id}`))).toEqual(bytes);
      expect(await readdir(path.join(server.folder, "uploads"))).toEqual([]);
    });

    it("has a thumbnail and plays, by signed links without a session", async () => {
      const { body } = await upload("clip.mp4");
      const picture = await fetch(server.url + body.data!.thumbnailUrl);
      expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
      await writeFile(path.join(files, "picture.jpg"), Buffer.from(await picture.arrayBuffer()));
      const { width, height } = await framePixels(path.join(files, "picture.jpg"), 0);
      expect([width, height]).toEqual([256, 192]);
      const part = await fetch(server.url + body.data!.mediaUrl, { headers: { range: "bytes=0-99" } });
      expect([part.status, part.headers.get("content-type")]).toEqual([206, "video/mp4"]);
      const bytes = await readFile(path.join(files, "clip.mp4"));
      expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(0, 100));
      for (const link of [body.data!.thumbnailUrl!, body.data!.mediaUrl]) {
        expect((await fetch(server.url + link.replace(/signature=.*/, "signature=x"))).status).toBe(403);
      }
    });

    it("of music has no thumbnail, and is never served as an executable type", async () => {
      const { body } = await upload("tone.mp3", { use: "music", name: "page.html" });
      expect(body.data!.thumbnailUrl).toBeNull();
      const played = await fetch(server.url + body.data!.mediaUrl, { method: "HEAD" });
      expect([played.status, played.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
      await deleteFile(body.data!.id);
      expect((await fetch(server.url + body.data!.mediaUrl)).status).toBe(404);
    });

    it("without a decodable frame is rejected", async () => {
      await makeClip(path.join(files, "torn.mp4"), { seconds: 3, outputOptions: ["-movflags", "+faststart"] });
      const torn = await readFile(path.join(files, "torn.mp4"));
      // The header stays intact, but the frames after it cannot be decoded.
      torn.fill(0, torn.indexOf("mdat") + 4);
      await writeFile(path.join(files, "torn.mp4"), torn);
      const { status, body } = await upload("torn.mp4");
      expect([status, body]).toMatchObject([422, { error: "The video file is damaged or incomplete." }]);
    });

    it("whose thumbnail failed is not retried", async () => {
      await makeClip(path.join(files, "plain.mp4"), { seconds: 0.5 });
      const { body } = await upload("plain.mp4");
      const { id } = body.data!;
      await server.context.db
        .updateTable("library_thumbnails")
        .set({ picture: null })
        .where("file_id", "=", id)
        .execute();
      await expect(drawMissingThumbnails(server.context, rejectDrawing, drawing())).resolves.toBeUndefined();
      await deleteFile(id);
    });

    it("of the same content returns the existing file, whatever its name", async () => {
      const first = await upload("clip.mp4");
      const again = await upload("clip.mp4", { name: "another name.mp4" });
      expect(again.body).toEqual({ data: first.body.data, isDuplicate: true });
      expect(await filesOnDisk()).toHaveLength(1);
    });

    it("becomes one library file even if sent several times at the same time", async () => {
      await makeTone(path.join(files, "same.mp3"), { frequencyHz: 777, seconds: 1 });
      const before = await filesOnDisk();
      const responses = await Promise.all([1, 2, 3, 4].map(() => upload("same.mp3", { use: "music" })));
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(responses.map(({ body }) => body.data!.id)).size).toBe(1);
      expect(await filesOnDisk()).toHaveLength(before.length + 1);
      await deleteFile(responses[0]!.body.data!.id);
    });

    it("is rejected while too many others are in progress, and accepted once one has ended", async () => {
      const others = Array.from({ length: 16 }, () => ({ leftBytes: 0 }));
      for (const other of others) server.uploadsInProgress.add(other);
      const rejection = "Too many files are being uploaded at the moment. Wait for one to finish, then try again.";
      expect(await upload("clip.mp4")).toMatchObject({ status: 429, body: { error: rejection } });
      server.uploadsInProgress.delete(others[0]!);
      expect((await upload("clip.mp4")).status).toBe(200);
      // Announced sizes of other uploads count too.
      others[1]!.leftBytes = 2 ** 60;
      expect((await upload("clip.mp4")).status).toBe(507);
      server.uploadsInProgress.clear();
    });

    it("says that a name is too long", async () => {
      expect(await upload("clip.mp4", { name: "x".repeat(3_000) })).toMatchObject({
        status: 400,
        body: { error: "The file name is too long. Rename the file: names can have at most 1,000 characters." },
      });
    });

    it("gets a clean name, however hostile", async () => {
      const names = ["../../etc/passwd", "a/b\\c:\u0000\u202E.mp3", "x".repeat(900), "con.mp3", "  "];
      for (const [i, name] of names.entries()) {
        await makeTone(path.join(files, `${i}.mp3`), { frequencyHz: 500 + i, seconds: 0.5 });
        const { status, body } = await upload(`${i}.mp3`, { name, use: "music" });
        expect([name, status]).toEqual([name, 200]);
        expect(body.data!.name).not.toMatch(/[/\\:\p{Cc}\u202E]|^\.|^con\./u);
        expect(Buffer.byteLength(body.data!.name)).toBeLessThanOrEqual(120);
        expect(body.data!.name).not.toBe("");
        await deleteFile(body.data!.id);
      }
    });

    it.each([
      ["notes.mp4", "video", 422, "This file is not a video."],
      ["playlist.mp4", "video", 422, "This file is not a video."],
      ["half.mp4", "video", 422, "The video file is damaged or incomplete."],
      ["tone.mp3", "video", 422, "This file has sound but no picture. Use a video file instead."],
      ["mute.mp4", "music", 422, "This file has no sound that can be used as music."],
      ["empty.mp4", "video", 400, "This file is empty."],
      ["clip.mp4", "poster", 400, /^use: /],
    ])("of %s for %s is rejected in one sentence and leaves nothing", async (file, use, status, sentence) => {
      const before = await filesOnDisk();
      const response = await upload(file, { use });
      expect(response.status).toBe(status);
      expect(response.body.error).toMatch(sentence);
      expect(await filesOnDisk()).toEqual(before);
    });

    it("announced with more than 2 GB is rejected before it is sent", async () => {
      const { status, error } = await startUpload({ "content-length": String(2 * 1024 ** 3 + 1) }, () => {});
      expect([status, error]).toEqual([413, "This file exceeds the 2 GB upload limit."]);
    });

    it("whose sender disconnects leaves nothing", async () => {
      const before = await filesOnDisk();
      await expect(
        startUpload({ "content-length": "1000000" }, async (request) => {
          request.write(Buffer.alloc(100_000));
          await expect.poll(filesOnDisk).toHaveLength(before.length + 1);
          request.destroy();
        }),
      ).rejects.toThrow("socket hang up");
      await expect.poll(filesOnDisk).toEqual(before);
      const halfStored = server.context.db.selectFrom("library_files").selectAll().where("stored_at", "is", null);
      expect(await halfStored.execute()).toEqual([]);
    });

    it("requires a signed-in operator", async () => {
      const response = await fetch(`${server.url}/uploads?name=x.mp4`, { method: "POST", body: "x" });
      expect(response.status).toBe(401);
    });
  });

  describe("an image", () => {
    it("becomes a library file with a PNG thumbnail, served as an image whatever its name", async () => {
      // as image programs leave them: bytes after the picture
      const logo = [makePng(512, 128, [0, 160, 160, 255, 0, 0, 0, 0]), Buffer.from("\nmade elsewhere")];
      await writeFile(path.join(files, "logo.png"), Buffer.concat(logo));
      const { status, body } = await upload("logo.png", { use: "image", name: "logo.svg" });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ name: "logo.svg", kind: "image", durationSeconds: 0, isSample: false });
      const thumbnail = await fetch(server.url + body.data!.thumbnailUrl);
      expect([thumbnail.status, thumbnail.headers.get("content-type")]).toEqual([200, "image/png"]);
      await writeFile(path.join(files, "small.png"), Buffer.from(await thumbnail.arrayBuffer()));
      expect(await framePixels(path.join(files, "small.png"), 0)).toMatchObject({ width: 128, height: 32 });
      const file = await fetch(server.url + body.data!.mediaUrl, { method: "HEAD" });
      expect([file.status, file.headers.get("content-type")]).toEqual([200, "image/png"]);
      expect(await library()).toContainEqual(body.data);
      expect(await upload("logo.png", { use: "image" })).toMatchObject({ body: { data: { id: body.data!.id } } });
      await deleteFile(body.data!.id);
    });

    const solid = makePng(64, 64, [200, 100, 50, 255]);
    const spoiled = Buffer.from(solid);
    spoiled.fill(0, spoiled.indexOf("IDAT") + 6, spoiled.indexOf("IDAT") + 12);
    const zeros = deflateSync(Buffer.alloc(2 ** 24));
    const bomb = pngChunk("zTXt", Buffer.concat([Buffer.from("x\0\0"), ...Array.from({ length: 8 }, () => zeros)]));
    const DAMAGED = "The image is damaged or incomplete.";

    it.each([
      ["an SVG", Buffer.from("<svg/>"), 422, "This file is not a PNG or WebP image."],
      ["a text", Buffer.from("Not an image. ".repeat(500)), 422, "This file is not a PNG or WebP image."],
      ["an animated WebP", ANIMATED_WEBP, 422, "This image is animated. Use a still PNG or WebP image."],
      ["a truncated PNG", solid.subarray(0, -20), 422, DAMAGED],
      ["a PNG with wrong data", spoiled, 422, DAMAGED],
      ["a WebP with a wrong picture", Buffer.from(WEBP).fill(0xff, 25), 422, DAMAGED],
      [
        "20,000 x 20,000 pixels",
        joinPng(pngHeader(20_000, 20_000), pngChunk("IDAT", zeros)),
        413,
        "This image is 20,000 x 20,000 pixels. The limit is 4,096 x 4,096.",
      ],
      [
        "a decompression bomb",
        joinPng(pngHeader(8, 8), bomb),
        413,
        "The image's metadata is too large. Export the image again without metadata.",
      ],
      ["more than 10 MB", Buffer.alloc(10 * 2 ** 20 + 1), 413, "This image exceeds the 10 MB upload limit."],
    ])("of %s is rejected in one sentence and leaves nothing", async (name, bytes, status, sentence) => {
      await writeFile(path.join(files, name), bytes);
      const before = await filesOnDisk();
      expect(await upload(name, { use: "image" })).toMatchObject({ status, body: { error: sentence } });
      expect(await filesOnDisk()).toEqual(before);
    });
  });

  describe("leftovers of a killed server", () => {
    it("are removed at the next start: partial and unfinished files", async () => {
      const before = await filesOnDisk();
      await writeFile(path.join(server.folder, "uploads/part"), "half");
      await writeFile(path.join(files, "lost"), "whole");
      await server.context.storage.put("library/lost", path.join(files, "lost"));
      const half = { name: "x", kind: "video", size_bytes: 0, duration_seconds: 1, is_sample: false } as const;
      const row = { ...half, id: "lost", storage_key: "library/lost", stored_at: null };
      await server.context.db.insertInto("library_files").values(row).execute();
      expect((await library()).map(({ id }) => id)).not.toContain("lost");
      await prepareIntake(server.context, path.join(server.folder, "uploads"), true);
      expect(await filesOnDisk()).toEqual(before);
      const left = await server.context.db.selectFrom("library_files").selectAll().where("id", "=", "lost").execute();
      expect(left).toEqual([]);
    });

    it("stay while another server may still be storing them", async () => {
      const half = { name: "x", kind: "video", size_bytes: 0, duration_seconds: 1, is_sample: false } as const;
      const row = { ...half, id: "elsewhere", storage_key: "library/elsewhere", stored_at: null };
      await server.context.db.insertInto("library_files").values(row).execute();
      const left = () => server.context.db.selectFrom("library_files").select("id").where("id", "=", row.id).execute();
      await prepareIntake(server.context, path.join(server.folder, "uploads"), false);
      expect(await left()).toHaveLength(1);
      const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString();
      await server.context.db
        .updateTable("library_files")
        .set({ created_at: yesterday })
        .where("id", "=", row.id)
        .execute();
      await prepareIntake(server.context, path.join(server.folder, "uploads"), false);
      expect(await left()).toEqual([]);
    });
  });

  describe("files without thumbnails", () => {
    it("get theirs, and lose them with the file", async () => {
      const { body } = await upload("clip.mp4");
      const { id } = body.data!;
      const { db } = server.context;
      const pictures = db.selectFrom("library_thumbnails").select("file_id").where("file_id", "=", id);
      await db.deleteFrom("library_thumbnails").where("file_id", "=", id).execute();
      expect((await library()).find((file) => file.id === id)!.thumbnailUrl).toBeNull();
      const { storage } = server.context;
      // A bucket keeps its local copies for hours.
      const toLocalFile = async (key: string) => {
        if (storage.addresses) throw new Error("A copy is kept.");
        return storage.toLocalFile(key);
      };
      const context = { db, storage: { ...storage, toLocalFile } };
      await drawMissingThumbnails(context, server.drawThumbnail, drawing());
      expect(await readdir(files)).not.toContain("source");
      const { thumbnailUrl } = (await library()).find((file) => file.id === id)!;
      expect((await fetch(server.url + thumbnailUrl)).status).toBe(200);
      await deleteFile(id);
      expect(await pictures.execute()).toEqual([]);
      expect((await fetch(server.url + thumbnailUrl)).status).toBe(404);
    });

    it("do not delay a stop while a bucket hangs", async () => {
      const { db, storage } = server.context;
      const { body } = await upload("mute.mp4");
      await db.deleteFrom("library_thumbnails").where("file_id", "=", body.data!.id).execute();
      const stopping = new AbortController();
      const hanging = new Readable({ read: () => stopping.abort() });
      const { promise: never } = Promise.withResolvers<never>();
      const addresses = { origin: "https://bucket.test", of: () => never, toPut: () => never };
      const context = { db, storage: { ...storage, addresses, read: async () => hanging, toLocalFile: () => never } };
      const drawn = drawMissingThumbnails(context, rejectDrawing, { folder: files, signal: stopping.signal });
      await expect(drawn).rejects.toThrow(/aborted/);
      await deleteFile(body.data!.id);
    });
  });

  describe("deleting a library file", () => {
    it("removes its bytes and its row, and is idempotent", async () => {
      const { body } = await upload("mute.mp4");
      const before = await filesOnDisk();
      expect(await deleteFile(body.data!.id)).toEqual({ status: 200 });
      expect(await filesOnDisk()).toEqual(before.filter((name) => name !== body.data!.id));
      expect((await library()).map(({ id }) => id)).not.toContain(body.data!.id);
      expect(await deleteFile(body.data!.id)).toEqual({ status: 200 });
    });

    it("is rejected while an unfinished job needs it, as video or as music", async () => {
      const { body } = await upload("clip.mp4");
      const { id, link } = body.data!;
      const drive = "https://drive.google.com/file/d/abc/view";
      for (const request of [
        { input_videos: [drive, `${link}/view?usp=sharing`] },
        { input_videos: [drive], audio_enabled: true, custom_audio_links: [link] },
      ]) {
        const job = await server.create(request);
        const rejection = "A running or waiting job needs this file: A job. Cancel the job or wait until it ends.";
        expect(await deleteFile(id)).toEqual({ status: 409, error: rejection });
        await server.client.functions.invoke("vps-integration/cancel", { body: { jobId: job.id } });
      }
      expect(await deleteFile(id)).toEqual({ status: 200 });
    });
  });

  /** Resolves with the response. */
  function startUpload(
    headers: Record<string, string>,
    send: (request: http.ClientRequest) => Promise<void> | void,
  ): Promise<{ status: number; error: string | undefined }> {
    return new Promise((resolve, reject) => {
      const request = http.request(`${server.url}/uploads?name=x.mp4`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, ...headers },
      });
      request.on("error", reject);
      request.on("response", (response) => {
        resolve(readError(response).finally(() => request.destroy()));
      });
      request.flushHeaders();
      void send(request);
    });
  }
});
