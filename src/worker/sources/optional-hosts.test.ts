import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { readJobOutputs, readJobVideos } from "#operations/jobs/read/read-job.ts";
import { saveSettings } from "#operations/settings/save-settings.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { openTestWorker } from "#tests/support/servers/worker.ts";
import { listFolder } from "#operations/sources/prepare-sources.ts";
import { startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { startDropboxTwin } from "#tests/support/twins/dropbox-twin.ts";
import { startOneDriveTwin } from "#tests/support/twins/onedrive-twin.ts";
import { startWebTwin } from "#tests/support/twins/web-twin.ts";

it("renders files of optional hosts, private sources always and the others where they are turned on, and lists folders", async () => {
  const [web, dropbox, oneDrive] = await Promise.all([startWebTwin(), startDropboxTwin(), startOneDriveTwin()]);
  const drive = await startDriveTwin();
  await using stack = new AsyncDisposableStack();
  for (const twin of [web, dropbox, oneDrive, drive]) stack.defer(() => twin.close());
  const baseUrls = { ...drive.environment, ...dropbox.environment, ...oneDrive.environment };
  const worker = stack.use(await openTestWorker({ hosts: { baseUrls, privateSources: [web.authority] } }));
  const clip = path.join(worker.folder, "clip.mp4");
  await makeClip(clip, { width: 180, height: 320, seconds: 1, toneHz: null });
  const bytes = await readFile(clip);
  const links = [
    web.add("/clips/my%20clip.mp4?token=1", { bytes }),
    dropbox.add("a1b2", "drop.mp4", { bytes, key: "k3y" }),
    oneDrive.add("IQAbc-1", { name: "one.mp4", bytes }),
  ];
  await worker.start(3);
  const before = await worker.finish(await worker.create({ input_videos: links }));
  const videos = await readJobVideos(worker.context, before.id);
  expect(videos.map((video) => [video.status, video.error_message])).toEqual([
    ["Completed", null],
    ["Failed", "Dropbox is turned off; turn it on in Settings."],
    ["Failed", "OneDrive is turned off; turn it on in Settings."],
  ]);

  const pages = { embeddedPages: { batchScheduler: null, warmupRobot: null }, ownOrigins: [] };
  await saveSettings(worker.context, { google_drive_key: "AIza-key", source_hosts: ["dropbox", "onedrive"] }, pages);
  const job = await worker.finish(await worker.create({ input_videos: links }));
  const outputs = await readJobOutputs(worker.context, job.id);
  expect(outputs.map(({ status, name }) => [status, name])).toEqual([
    ["Completed", "001-v1-my clip.mp4"],
    ["Completed", "002-v1-drop.mp4"],
    ["Completed", "003-v1-one.mp4"],
  ]);
  drive.add({ id: "sea", name: "sea.mp4", mimeType: "video/mp4", bytes, folder: "clips" });
  const { signal } = new AbortController();
  const folder = await listFolder(worker.context, "https://drive.google.com/drive/folders/clips", signal);
  expect(folder).toEqual([{ link: drive.links("sea"), name: "sea.mp4", size_bytes: bytes.length }]);
  expect(await listFolder(worker.context, drive.links("sea"), signal)).toBeNull();
  // The second job found the first one's copy of the website's file in the cache.
  expect(web.requests.filter(({ headers }) => headers.range === undefined)).toHaveLength(1);
});
