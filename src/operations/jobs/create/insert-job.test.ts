import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { planOutputs } from "./plan-outputs.ts";

const LINKS = ["a", "b", "c"].map((id) => `https://drive.google.com/file/d/${id}/view`);

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Plans a video's outputs like a worker; their names differ only in case. */
async function plan(jobId: string, position: number, name: string, variants = 1): Promise<string[]> {
  const { context } = server;
  const { id: videoId, attempts } = await context.db
    .updateTable("job_videos")
    .set((eb) => ({ status: "Processing", attempts: eb("attempts", "+", 1) }))
    .where("job_id", "=", jobId)
    .where("position", "=", position)
    .returning(["id", "attempts"])
    .executeTakeFirstOrThrow();
  const outputs = Array.from({ length: variants }, (_, variant) => {
    const nameIfTaken = `${name}-${position + 1}-v${variant + 1}.mp4`;
    return { variant, segment: 0, name: `${name}.mp4`, nameIfTaken, caption: null, track: null };
  });
  const place = { jobId, videoId, attempt: attempts, name: "a.mp4", durationSeconds: 1 };
  return (await planOutputs(context, place, outputs))!.map((output) => output.name);
}

it("gives each name of a job once, to videos that are planned at the same time too", async () => {
  const { id } = await server.create({ input_videos: LINKS });
  const names = await Promise.all([plan(id, 0, "Sale"), plan(id, 1, "sale"), plan(id, 2, "SALE", 2)]);
  const keys = names.flat().map((name) => name.toLowerCase());
  expect(new Set(keys).size).toBe(4);
  expect(keys.filter((key) => key === "sale.mp4")).toHaveLength(1);
  expect(keys).toContain("sale-3-v2.mp4");
});

it("keeps a name over attempts, whoever else wants it meanwhile", async () => {
  const { id } = await server.create({ input_videos: LINKS });
  expect(await plan(id, 1, "Sale", 2)).toEqual(["Sale.mp4", "Sale-2-v2.mp4"]);
  expect(await plan(id, 0, "Sale")).toEqual(["Sale-1-v1.mp4"]);
  expect(await plan(id, 1, "Another", 2)).toEqual(["Sale.mp4", "Sale-2-v2.mp4"]);
});

it("finds a name even if another video has both", async () => {
  const { id } = await server.create({ input_videos: LINKS });
  await plan(id, 0, "Sale");
  await plan(id, 1, "Sale-3-v1");
  expect(await plan(id, 2, "Sale")).toEqual([expect.stringMatching(/^[\da-f-]{36}-v1-s1\.mp4$/)]);
});
