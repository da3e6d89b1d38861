import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ClaimedTask } from "#queue/open-queue.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

/** Creates a job with a video per link, and returns the links of its tasks. */
async function create(names: string[], workerLabels?: string): Promise<void> {
  await server.create({
    job_name: "Labels",
    input_videos: names.map((name) => `https://drive.google.com/file/d/${name}/view`),
    ...(workerLabels && { worker_labels: workerLabels }),
  });
}

async function nameOf({ videoId }: Pick<ClaimedTask, "videoId">): Promise<string> {
  const { link } = await server.context.db
    .selectFrom("job_videos")
    .select("link")
    .where("id", "=", videoId)
    .executeTakeFirstOrThrow();
  return link.split("/").at(-2)!;
}

async function readLoad(labels: string[]): Promise<number> {
  const { rows } = await sql<{ load: number }>`select queue_load(${labels}::text[]) as load`.execute(server.context.db);
  return rows[0]!.load;
}

it("hands a video only to workers with all labels of its job, and scales each pool by its own videos", async () => {
  const { videos } = server.context.queue;
  await create(["both"], "GPU, eu");
  await create(["gpu"], "gpu");
  await create(["plain"]);
  await create(["big"], "big");
  expect([await readLoad([]), await readLoad(["gpu"]), await readLoad(["eu", "gpu"])]).toEqual([1, 1, 2]);
  expect(await Promise.all((await videos.peek(9, ["gpu"])).map(nameOf))).toEqual(["gpu", "plain"]);

  const taken: string[] = [];
  const work = (worker: string, labels: string[]) =>
    videos.work(1, async (task) => void taken.push(`${await nameOf(task)} by ${worker}`), { labels });
  await work("none", []);
  await expect.poll(() => taken).toEqual(["plain by none"]);
  await work("gpu+ssd", ["gpu", "ssd"]);
  await expect.poll(() => taken).toContain("gpu by gpu+ssd");
  await work("eu+gpu", ["eu", "gpu"]);
  await expect.poll(() => taken).toContain("both by eu+gpu");
  // No worker has this label.
  expect([taken.length, await readLoad(["big"])]).toEqual([3, 1]);
});

it("prefers videos whose file a worker has, three times in a row and among the next eight at most", async () => {
  const rest = ["d", "e", "f", "g", "h", "i", "j", "k", "l"];
  await create(["a", "own1", "own2", "own3", "own4", "b", "c", ...rest, "own5"]);
  const order: string[] = [];
  const links = ["own1", "own2", "own3", "own4", "own5"].map((name) => `https://drive.google.com/file/d/${name}/view`);
  await server.context.queue.videos.work(1, async (task) => void order.push(await nameOf(task)), {
    readLinks: () => links,
  });
  await expect.poll(() => order.length).toBe(17);
  const expected = ["own1", "own2", "own3", "a", "own4", "b", "c", "d", "e", "own5", "f", "g", "h", "i", "j", "k", "l"];
  expect(order).toEqual(expected);
});
