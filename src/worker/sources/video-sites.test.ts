import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import pino from "pino";
import { siteVideoOf } from "#contract/sources/hosts/video-sites.ts";
import { readJobOutputs, readJobVideos } from "#operations/jobs/read/read-job.ts";
import { saveSettings } from "#operations/settings/save-settings.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openTestWorker } from "#tests/support/servers/worker.ts";
import { writeYtDlpTwin } from "#tests/support/twins/yt-dlp-twin.ts";
import { openPreflight } from "../preflight/open-preflight.ts";

const PAGES = { embeddedPages: { batchScheduler: null, warmupRobot: null }, ownOrigins: [] };
const LINK = "https://youtu.be/dQw4w9WgXcQ";
const PRIVATE = "https://vimeo.com/76979871";

const folder = await makeScratchFolder();

it("checks and renders videos of sites only with yt-dlp, and after the rights were confirmed", async () => {
  const twin = await writeYtDlpTwin(folder);
  const hosts = { ytDlpPath: twin.path };
  await using worker = await openTestWorker({ hosts });
  const { context } = worker;
  const clip = path.join(folder, "clip.mp4");
  await makeClip(clip, { width: 180, height: 320, seconds: 1 });
  const { address } = siteVideoOf({ id: "youtube/dQw4w9WgXcQ" });
  await twin.add(address, { bytes: await readFile(clip), info: { title: "Harbor", filesize: 5_000 } });
  await twin.add(PRIVATE, { error: "[vimeo] 76979871: This video is private" });

  const save = (more: object, ytDlpPath = twin.path) =>
    saveSettings(
      { ...context, hosts: { ...context.hosts, ytDlpPath } },
      { source_hosts: ["video-sites"], ...more },
      PAGES,
    );
  await expect(save({ confirms_rights: true }, "/nowhere/yt-dlp")).rejects.toThrow("Install yt-dlp on this server");
  await expect(save({})).rejects.toThrow("Confirm this first: I hold the rights");
  const preflight = await openPreflight(
    { context, tools: await testTools(), log: pino({ level: "silent" }) },
    path.join(folder, "excerpts"),
  );
  const check = async () => {
    const caller = { accountId: "one", signal: new AbortController().signal };
    for (;;) {
      const { videos } = await preflight.check([LINK, PRIVATE], caller);
      if (videos.every(({ state }) => state !== "pending")) return videos;
    }
  };
  expect((await check())[0]).toMatchObject({
    problem: { message: "Yt-dlp (YouTube, TikTok, Vimeo) is turned off; turn it on in Settings." },
  });
  await save({ confirms_rights: true });
  // Another host's change needs no confirmation again.
  await save({ source_hosts: ["video-sites", "web"] });
  const job = await worker.create({ input_videos: [LINK, PRIVATE] });
  await worker.start(1);
  expect(await check()).toMatchObject([
    { state: "ready", name: "Harbor.mp4", duration_seconds: 12, width: 1080, height: 1920, size_bytes: 5_000 },
    { state: "problem", problem: { message: expect.stringContaining("private on Vimeo") } },
  ]);
  await preflight.stop();
  const { id } = await worker.finish(job);
  expect((await readJobOutputs(context, id))[0]).toMatchObject({ status: "Completed", name: "001-v1-Harbor.mp4" });
  expect((await readJobVideos(context, id))[1]).toMatchObject({ error_code: "not_shared", error_step: "fetch" });
});
