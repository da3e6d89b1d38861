import { readFile } from "node:fs/promises";
import path from "node:path";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { expect, it } from "vitest";
import { s3 } from "#contract/sources/hosts/s3/s3.ts";
import { parseFolderLink } from "#contract/sources/links.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import { addConnection } from "#operations/connections/change-connection.ts";
import { listConnections } from "#operations/connections/list-connections.ts";
import { saveSettings } from "#operations/settings/save-settings.ts";
import { readSourceAccess } from "#operations/sources/prepare-sources.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { openTestWorker } from "#tests/support/servers/worker.ts";
import { startS3Server } from "#tests/support/twins/s3-server.ts";

it("renders files of S3 links, and says why the others fail", async () => {
  const store = await startS3Server();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => store.close());
  const worker = stack.use(await openTestWorker({ hosts: { privateSources: [`127.0.0.1:${store.port}`] } }));
  const clip = path.join(worker.folder, "clip.mp4");
  await makeClip(clip, { width: 180, height: 320, seconds: 1 });
  const { endpoint, region } = store.location;
  const client = new S3Client({ endpoint: endpoint!, region, forcePathStyle: true });
  stack.defer(() => client.destroy());
  const key = "raw/été & (1) 100%#a?.mp4";
  await client.send(new PutObjectCommand({ Bucket: "clips", Key: key, Body: await readFile(clip) }));
  await client.send(new PutObjectCommand({ Bucket: "clips", Key: "empty.mp4", Body: Buffer.alloc(0) }));
  const pages = { embeddedPages: { batchScheduler: null, warmupRobot: null }, ownOrigins: [] };
  await saveSettings(worker.context, { source_hosts: ["s3"] }, pages);
  const keys = { access_key_id: "S3RVER", secret_access_key: "S3RVER" };
  const fields = { kind: "s3", name: "Archive", endpoint, path_style: true, buckets: ["clips"], ...keys };
  await addConnection(worker.context, fields);
  await worker.start();
  const job = await worker.create({
    input_videos: [`s3://clips/${key}`, "s3://clips/none.mp4", "s3://clips/empty.mp4", "s3://other/a.mp4"],
  });
  await worker.finish(job);
  const videos = await worker.context.db
    .selectFrom("job_videos")
    .select(["status", "name", "error_code", "error_message"])
    .where("job_id", "=", job.id)
    .orderBy("position")
    .execute();
  expect(videos).toMatchObject([
    { status: "Completed", name: "été & (1) 100%#a?.mp4", error_code: null },
    {
      status: "Failed",
      error_code: "source_not_found",
      error_message: 'The bucket "clips" has no file with this name. Check the link.',
    },
    { status: "Failed", error_code: "not_a_video", error_message: "This file is empty." },
    {
      status: "Failed",
      error_code: "bad_key",
      error_message: expect.stringContaining('No S3 connection is for the bucket "other".'),
    },
  ]);
  const folder = parseFolderLink("s3://clips/raw/", { hosts: ["s3"], privateSources: [] })!;
  const get = createSourceGet({ signal: new AbortController().signal });
  expect(await s3.list!(folder, { ...(await readSourceAccess(worker.context)), get })).toEqual([
    { link: `s3://clips/${key}`, name: "été & (1) 100%#a?.mp4", size_bytes: (await readFile(clip)).length },
  ]);
  expect(await listConnections(worker.context)).toMatchObject([{ last_used_at: expect.any(String), used_by: [] }]);
});
