import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { siteVideoOf, videoSiteLinks } from "#contract/sources/hosts/video-sites.ts";
import { explainLink, parseLink } from "#contract/sources/links.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { writeYtDlpTwin, type YtDlpTwin } from "#tests/support/twins/yt-dlp-twin.ts";
import { describeSiteVideo, fetchSiteVideo, explainSiteError } from "./site-video.ts";

const folder = await makeScratchFolder();
let twin: YtDlpTwin;

beforeAll(async () => {
  twin = await writeYtDlpTwin(folder);
});

const videoOf = (id: string) => siteVideoOf({ id: `youtube/${id}` });
const tool = (signal = new AbortController().signal) => ({
  ytDlpPath: twin.path,
  environment: { PATH: process.env["PATH"] ?? "" },
  signal,
});
const add = async (id: string, video: Parameters<YtDlpTwin["add"]>[1]) => {
  await twin.add(videoOf(id).address, video);
  return videoOf(id);
};

it("reads the spellings of links to one video, and passes nothing but its id on", () => {
  const links = {
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL1&t=3": "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "https://youtu.be/dQw4w9WgXcQ?si=abc": "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "https://m.youtube.com/watch?app=m&v=--exec-abcd": "https://www.youtube.com/watch?v=--exec-abcd",
    "https://youtube.com/shorts/dQw4w9WgXcQ": "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "https://www.tiktok.com/@some.one/video/7303331234567890123?lang=en":
      "https://www.tiktok.com/@_/video/7303331234567890123",
    "https://vm.tiktok.com/ZSe4FqkKd/": "https://vm.tiktok.com/ZSe4FqkKd",
    "https://www.tiktok.com/t/ZSe4FqkKd/": "https://vm.tiktok.com/ZSe4FqkKd",
    "https://vimeo.com/76979871": "https://vimeo.com/76979871",
    "https://vimeo.com/76979871/0123456789?share=copy": "https://vimeo.com/76979871/0123456789",
  };
  for (const [link, address] of Object.entries(links)) {
    const parsed = parseLink(link);
    expect([link, parsed?.host]).toEqual([link, "video-sites"]);
    expect(videoSiteLinks.addressOf(parsed!)).toBe(address);
  }
  const others = [
    ...[
      "https://www.youtube.com/@someone",
      "https://www.youtube.com/playlist?list=PL1",
      "https://youtube.com/elevenchars",
    ],
    ...["https://www.tiktok.com/@some.one", "https://vimeo.com/channels/staffpicks", "https://youtu.be/"],
    ...["http://youtu.be/dQw4w9WgXcQ", "https://me:secret@youtu.be/dQw4w9WgXcQ", "https://youtu.be:8443/dQw4w9WgXcQ"],
  ];
  for (const link of others) expect([link, parseLink(link)]).toEqual([link, null]);
  expect(explainLink(others[0]!)).toBe("this is not a link to one YouTube video");
});

it("describes a video by yt-dlp, without local settings, playlists or other sites", async () => {
  const thumbnails = [{ url: "https://i.ytimg.com/big.jpg" }, { url: "https://i.ytimg.com/small.jpg", width: 320 }];
  const video = await add("dQw4w9WgXcQ", { info: { title: "Море: 1/2", thumbnails, filesize: 900 } });
  expect(await describeSiteVideo(video, tool())).toEqual({
    ...{ name: "Море: 1/2.mp4", durationSeconds: 12, size: { width: 1080, height: 1920 }, hasSound: true },
    ...{ sizeBytes: 900, thumbnailUrls: ["https://i.ytimg.com/small.jpg", "https://i.ytimg.com/big.jpg"] },
  });
  const run = (await twin.runs()).at(-1)!;
  expect(run).toEqual(expect.arrayContaining(["--ignore-config", "--no-playlist", "--use-extractors=youtube"]));
  expect(run.slice(-2)).toEqual(["--", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"]);
});

it("downloads a video, and leaves nothing else", async () => {
  const bytes = Buffer.alloc(1_000, 7);
  const toPath = path.join(folder, "100% of it");
  const options = { ...tool(), toPath, maxBytes: 1_000, ffmpeg: "/opt/ffmpeg" };
  expect(await fetchSiteVideo(await add("downloaded0", { bytes }), options)).toEqual({ name: "A title.mp4" });
  expect(await readFile(toPath)).toEqual(bytes);
  const run = (await twin.runs()).at(-1)!;
  expect(run).toEqual(expect.arrayContaining(["--max-filesize=1000", "--ffmpeg-location=/opt/ffmpeg"]));
});

it("rejects what is no finished video of an accepted size, and leaves no file", async () => {
  const large = Buffer.alloc(1_001);
  const fetchInto = async (name: string, id: string, video: Parameters<typeof add>[1], signal?: AbortSignal) =>
    fetchSiteVideo(await add(id, video), {
      ...tool(signal),
      ...{ toPath: path.join(folder, `rejected-${name}`), maxBytes: 1_000, ffmpeg: "ffmpeg" },
    });
  const describe = async (id: string, video: Parameters<typeof add>[1]) =>
    describeSiteVideo(await add(id, video), tool());
  const rejected = await Promise.allSettled([
    fetchInto("a", "too-large-1", { bytes: large }),
    fetchInto("b", "too-large-2", { bytes: large, isEndless: true }),
    fetchInto("c", "live-now-01", { info: { is_live: true } }),
    describe("upcoming-01", { info: { live_status: "is_upcoming" } }),
    describe("slideshow-1", { info: { _type: "playlist" } }),
    describe("garbage-001", { info: null }),
    describe("removed-001", { error: "[youtube] x: Video unavailable" }),
    fetchInto("d", "endless-001", { isEndless: true }, AbortSignal.timeout(1_000)),
    describeSiteVideo(videoOf("no-tool-001"), { ...tool(), ytDlpPath: path.join(folder, "nothing") }),
  ]);
  expect(rejected.map((one) => (one.status === "rejected" ? (one.reason as { code: string }).code : one))).toEqual([
    ...["too_large", "too_large", "not_a_video", "not_a_video", "not_a_video"],
    ...["source_not_found", "source_not_found", "cancelled", "no_tool"],
  ]);
  expect((await readdir(folder)).filter((name) => name.startsWith("rejected-"))).toEqual([]);
});

const LOGIN = "Use --cookies-from-browser or --cookies for the authentication.";

it.each([
  [
    `[youtube] x: Private video. Sign in if you've been granted access to this video. ${LOGIN}`,
    "not_shared",
    "private",
  ],
  [
    `[youtube] x: Sign in to confirm your age. This video may be inappropriate for some users. ${LOGIN}`,
    "not_shared",
    "adults",
  ],
  [`[youtube] x: Sign in to confirm you’re not a bot. ${LOGIN}`, "rate_limited", "limiting"],
  ["[youtube] x: The uploader has not made this video available in your country", "not_shared", "country"],
  ["[youtube] x: Video unavailable. This video has been removed by the uploader", "source_not_found", "no video"],
  ["[youtube] x: Join this channel to get access to members-only content like this video", "not_shared", "signing in"],
  ["[youtube] x: This live event will begin in 3 hours.", "not_a_video", "live stream"],
  ["[youtube] x: This video is DRM protected", "not_shared", "copy-protected"],
  ["[youtube] x: HTTP Error 429: Too Many Requests", "rate_limited", "limiting"],
  [
    "[TikTok] 7: You do not have permission to view this post. Log into an account that has access",
    "not_shared",
    "private",
  ],
  ["[TikTok] 7: Your IP address is blocked from accessing this post", "not_shared", "country"],
  ["[vimeo] 7: This video is protected by a password, use the --video-password option", "not_shared", "signing in"],
  ["[vimeo] 7: HTTP Error 503: Service Unavailable", "network", "could not be reached"],
  ["[youtube] x: Failed to resolve 'www.youtube.com' ([Errno -2] Name or service not known)", "network", "reached"],
  ["[youtube] x: Unable to extract yt initial data; please report this issue on", "source_not_found", "Update yt-dlp"],
])("reads %j as %s", (line, code, part) => {
  const error = explainSiteError("YouTube", { tail: `WARNING: private\nERROR: ${line}` });
  expect(error).toMatchObject({ code, message: expect.stringContaining(part) });
});
