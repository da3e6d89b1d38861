import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { FunctionsHttpError } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import type { PreflightResponse, PreflightVideo } from "#contract/sources/preflight.ts";
import { makePng } from "#tests/support/media/make-image.ts";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { baseUrlsOf } from "#tests/support/test-context.ts";
import { type DriveTwin, startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";

/** More than a check reads. */
const PADDING_BYTES = 3 * 1024 ** 2;
/** Longer than a call waits for the first results. */
const ABANDONED_MS = 1_500;

let twin: DriveTwin;
let server: TestServer;
const clips = new Map<string, Buffer>();

beforeAll(async () => {
  twin = await startDriveTwin();
  const hosts = { baseUrls: baseUrlsOf(twin.url), privateSources: ["127.0.0.1:9"] };
  server = await startTestServer(undefined, { hosts });
  const size = { width: 180, height: 320, seconds: 1 };
  await Promise.all([
    clip("last.mp4", size),
    clip("turned.mp4", { ...size, width: 320, height: 180, rotation: 90, toneHz: null }),
    clip("clip.webm", { ...size, videoCodec: "libvpx-vp9", audioCodec: "libopus" }),
    makeTone(at("tone.m4a"), { frequencyHz: 440, seconds: 1 }).then(() => keep("tone.m4a")),
  ]);
});
afterAll(async () => {
  await server.close();
  await twin.close();
});

const at = (name: string) => path.join(server.folder, name);
const keep = async (name: string) => void clips.set(name, await readFile(at(name)));
const clip = async (name: string, options: Parameters<typeof makeClip>[1]) => {
  await makeClip(at(name), options);
  await keep(name);
};

function share(id: string, bytes: Buffer, behaviour?: Parameters<DriveTwin["add"]>[0]["behaviour"]): string {
  twin.add({ id, name: `${id}.mp4`, mimeType: "video/mp4", bytes, ...(behaviour && { behaviour }) });
  return twin.links(id);
}

async function ask(links: string[], signal?: AbortSignal): Promise<PreflightVideo[]> {
  const options = { body: { links }, ...(signal && { signal }) };
  const { data, error } = await server.client.functions.invoke<PreflightResponse>("preflight", options);
  if (error) throw error;
  return data!.videos;
}

/** Sends pending links again, like the screen. */
async function check(links: string[]): Promise<PreflightVideo[]> {
  const videos = new Map((await ask(links)).map((video) => [video.link, video]));
  for (;;) {
    const pending = [...videos.values()].filter(({ state }) => state === "pending").map(({ link }) => link);
    if (pending.length === 0) return links.map((link) => videos.get(link)!);
    for (const video of await ask(pending)) videos.set(video.link, video);
  }
}

async function checkOne(link: string): Promise<PreflightVideo> {
  return (await check([link]))[0]!;
}

async function saveKey(key: string | null): Promise<void> {
  const { error } = await server.client.functions.invoke("settings", { body: { google_drive_key: key } });
  if (error) throw error;
}

function requestsFor(id: string) {
  return twin.requests.filter(({ path, query }) => path.endsWith(`/${id}`) || query.get("id") === id);
}

function pad(mp4: Buffer, where: "before header" | "after media"): Buffer {
  const padding = Buffer.alloc(PADDING_BYTES);
  padding.writeUInt32BE(PADDING_BYTES);
  padding.write("free", 4, "latin1");
  const header = mp4.indexOf("moov") - 4;
  return where === "after media"
    ? Buffer.concat([mp4, padding])
    : Buffer.concat([mp4.subarray(0, header), padding, mp4.subarray(header)]);
}

const KNOWN = { state: "ready", ok: true, duration_seconds: 1, width: 180, height: 320, has_sound: true };

describe("preflight", () => {
  it("reads facts and a thumbnail from the first and last bytes", async () => {
    const last = pad(clips.get("last.mp4")!, "before header");
    const videos = await check([
      share("header-last", last),
      share("header-before-end", pad(clips.get("last.mp4")!, "after media")),
      share("webm", clips.get("clip.webm")!),
      share("turned", clips.get("turned.mp4")!),
    ]);
    expect(videos).toMatchObject([
      { ...KNOWN, name: "header-last.mp4", size_bytes: last.length },
      KNOWN,
      { ...KNOWN, duration_seconds: expect.closeTo(1, 1) },
      { ...KNOWN, has_sound: false },
    ]);
    for (const { thumbnail_url: url, problem } of videos) {
      expect(problem).toBeNull();
      expect(url).toMatch(/^data:image\/jpeg;base64,\/9j\//);
      expect(url!.length).toBeLessThan(20_000);
    }
    const ranges = requestsFor("header-last").map(({ range }) => range);
    expect(ranges).toEqual([
      "bytes=0-0",
      "bytes=0-524287",
      `bytes=${PADDING_BYTES + clips.get("last.mp4")!.indexOf("moov") - 4}-${last.length - 1}`,
    ]);
  });

  it("collects a finished check without asking the host again", async () => {
    const link = share("once", clips.get("last.mp4")!);
    await Promise.all([checkOne(link), checkOne(link.replace("/view", "/edit")), checkOne(link)]);
    expect(requestsFor("once").map(({ range }) => range)).toEqual(["bytes=0-0", "bytes=0-524287"]);
  });

  it("asks only for metadata of a file whose content it knows", async () => {
    await saveKey("key");
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const link = share("known", clips.get("last.mp4")!);
      expect(await checkOne(link)).toMatchObject(KNOWN);
      vi.advanceTimersByTime(6 * 60_000);
      expect(await checkOne(link)).toMatchObject(KNOWN);
      expect(requestsFor("known").map(({ query }) => query.get("alt"))).toEqual([null, "media", null]);
    } finally {
      vi.useRealTimers();
      await saveKey(null);
    }
  });

  it("lists the files of a folder", async () => {
    await saveKey("key");
    const bytes = Buffer.from("abc");
    twin.add({ id: "listed", name: "listed.mp4", mimeType: "video/mp4", bytes, folder: "a-folder" });
    const found = await checkOne("https://drive.google.com/drive/folders/a-folder");
    await saveKey(null);
    const files = [{ link: twin.links("listed"), name: "listed.mp4", size_bytes: 3 }];
    expect(found).toMatchObject({ state: "ready", ok: false, files, problem: null });
  });

  it("names each problem with a remedy", async () => {
    const mp4 = clips.get("last.mp4")!;
    const text = Buffer.from("Nothing to see here. ".repeat(50_000));
    const problems: [string, string, RegExp][] = [
      [
        share("photo", makePng(60, 40, [220, 40, 60, 255])),
        "not_a_video",
        /^This file is not a video\. Use a video file instead\.$/,
      ],
      [share("text", text), "not_a_video", /^This file is not a video\. Use/],
      [share("audio", clips.get("tone.m4a")!), "not_a_video", /^This file has sound but no picture\. Use a video/],
      [share("empty", Buffer.alloc(0)), "not_a_video", /^This file is empty\. Use a video file instead\.$/],
      [
        share("half", pad(mp4, "before header").subarray(0, 2_000_000)),
        "damaged",
        /end is missing\. Upload the video again\.$/,
      ],
      [share("private", mp4, { kind: "notShared" }), "not_shared", /Share it with "Anyone with the link"/],
      [share("gone", mp4, { kind: "notFound" }), "source_not_found", /Check the link\.$/],
      [share("quota", mp4, { kind: "quotaExceeded" }), "quota_exceeded", /Use a copy of the file, or retry later\.$/],
      [
        share("busy", mp4, { kind: "rateLimited", times: 99, retryAfterSeconds: null }),
        "rate_limited",
        /Retry in a few minutes\.$/,
      ],
      [share("lies", mp4, { kind: "wrongLength" }), "incomplete", /sent only part of this file\. Retry later\.$/],
      [
        share("inside", mp4, { kind: "redirect", to: "http://169.254.169.254/" }),
        "bad_link",
        /points outside Google Drive.*Check the link\.$/,
      ],
      ["https://drive.google.com/drive/folders/abc", "bad_key", /./],
      ["https://example.com/x.mp4", "bad_link", /^Turn on "Web addresses" in Settings/],
      ["what is this", "bad_link", /^This is not a link to a video\. Use a link to a Google Drive file\.$/],
      ["https://www.instagram.com/reels/audio/1234/", "bad_link", /./],
      [libraryLink("gone"), "source_not_found", /no longer in the Clipmill library\. Upload it again/],
      ["http://127.0.0.1:9/x.mp4", "network", /could not be reached\. Check the network, then retry\.$/],
    ];
    const videos = await check(problems.map(([link]) => link));
    expect(videos.map(({ state, ok, problem }) => [state, ok, problem?.code, problem?.message])).toEqual(
      problems.map(([, code, message]) => ["problem", false, code, expect.stringMatching(message)]),
    );
    expect(videos[1]).toMatchObject({ name: "text.mp4", size_bytes: text.length, width: null });
  });

  it("rejects more than 100 links, and calls without a session", async () => {
    const links = Array.from({ length: 101 }, (_, i) => twin.links(`x${i}`));
    const { error } = await server.client.functions.invoke("preflight", { body: { links } });
    const response = (error as FunctionsHttpError).context as Response;
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "A call can check at most 100 links." });
    const stranger = await fetch(`${server.url}/functions/v1/preflight`, { method: "POST", body: '{"links":[]}' });
    expect(stranger.status).toBe(401);
    expect(await ask([])).toEqual([]);
  });

  it("names garbage metadata, and a size that no job accepts", async () => {
    await using host = await startHost((request, response) => {
      const isHuge = request.url!.includes("/huge");
      response.end(
        isHuge ? JSON.stringify({ name: "huge.mp4", mimeType: "video/mp4", size: `${20 * 1024 ** 3}` }) : "{",
      );
    });
    await using other = await startOther(undefined, { hosts: { baseUrls: baseUrlsOf(host.url) } });
    const settings = { body: { google_drive_key: "key" } };
    await other.client.functions.invoke("settings", settings);
    const links = ["garbage", "huge"].map((id) => twin.links(id));
    const { data } = await other.client.functions.invoke<PreflightResponse>("preflight", { body: { links } });
    expect(data!.videos.map(({ name, problem }) => [name, problem?.code])).toEqual([
      [null, "network"],
      ["huge.mp4", "too_large"],
    ]);
    expect(data!.videos[1]!.problem!.message).toMatch(/Use a smaller version\.$/);
  });

  it("delays no other host for one that hangs, contacts it at most 4 times at once, and ends when nobody asks", async () => {
    const open = new Set<string>();
    let mostOpen = 0;
    await using host = await startHost((request, response) => {
      open.add(request.url!);
      mostOpen = Math.max(mostOpen, open.size);
      response.on("close", () => open.delete(request.url!));
    });
    const hosts = { baseUrls: baseUrlsOf(twin.url), privateSources: [new URL(host.url).host] };
    await using other = await startOther(undefined, { hosts, preflightLimits: { abandonedMs: ABANDONED_MS } });
    const hanging = Array.from({ length: 20 }, (_, i) => `${host.url}/${i}.mp4`);
    const links = [...hanging, share("beside", clips.get("last.mp4")!)];
    const readStates = async () => {
      const { data } = await other.client.functions.invoke<PreflightResponse>("preflight", { body: { links } });
      return data!.videos.map(({ state }) => state);
    };
    await expect.poll(readStates).toEqual([...hanging.map(() => "pending"), "ready"]);
    expect(mostOpen).toBe(4);
    await expect.poll(() => open.size).toBe(0);
    await expect.poll(() => readdir(path.join(other.folder, "excerpts"))).toEqual([]);
  });

  it("leaves a host without ranges after the first bytes", async () => {
    const allBytes = 50 * PADDING_BYTES;
    const ends: number[] = [];
    await using host = await startHost((_request, response) => {
      response.writeHead(200, { "content-type": "video/mp4", "content-length": String(allBytes) });
      let sentBytes = 0;
      const send = (): void => {
        while (!response.destroyed && sentBytes < allBytes) {
          const chunk = sentBytes === 0 ? startOfMedia(allBytes) : Buffer.alloc(65_536);
          sentBytes += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", send);
        }
      };
      response.on("close", () => ends.push(sentBytes));
      send();
    });
    const hosts = { privateSources: [new URL(host.url).host] };
    await using other = await startOther(undefined, { hosts });
    const link = `${host.url}/clip.mp4`;
    const { data } = await other.client.functions.invoke<PreflightResponse>("preflight", { body: { links: [link] } });
    const expected = { state: "ready", ok: true, name: "clip.mp4", size_bytes: allBytes, width: null, problem: null };
    expect(data!.videos).toMatchObject([expected]);
    await expect.poll(() => ends.length).toBe(2);
    // Allows for the system's buffers.
    expect(Math.max(...ends)).toBeLessThan(allBytes / 2);
  });
});

/** The beginning of an MP4 whose header is at the end. */
function startOfMedia(allBytes: number): Buffer {
  const start = Buffer.alloc(24);
  start.writeUInt32BE(8);
  start.write("ftyp", 4);
  start.writeUInt32BE(1, 8);
  start.write("mdat", 12);
  start.writeBigUInt64BE(BigInt(allBytes - 1_000), 16);
  return start;
}

async function startOther(...options: Parameters<typeof startTestServer>): Promise<TestServer & AsyncDisposable> {
  const other = await startTestServer(...options);
  return { ...other, [Symbol.asyncDispose]: () => other.close() };
}

async function startHost(listener: RequestListener): Promise<AsyncDisposable & { url: string }> {
  const host = createServer(listener).listen(0, "127.0.0.1");
  await once(host, "listening");
  return {
    url: `http://127.0.0.1:${(host.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      host.closeAllConnections();
      await new Promise((resolve) => host.close(resolve));
    },
  };
}
