import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readJobOutputs, readJobVideos } from "#operations/jobs/read/read-job.ts";
import { loseSamples, pretendUsac, renameBoxes } from "#tests/support/media/faulty/broken-media.ts";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

let worker: TestWorker;
const file = (name: string) => path.join(worker.folder, name);

function add(name: string, behaviour?: Parameters<TestWorker["twin"]["add"]>[0]["behaviour"]): string {
  const id = name.replace(".", "-");
  worker.twin.add({
    id,
    path: file(behaviour ? "good.m4a" : name),
    name,
    mimeType: "audio/mp4",
    ...(behaviour && { behaviour }),
  });
  return worker.twin.links(id);
}

beforeAll(async () => {
  worker = await openTestWorker();
  await makeClip(file("clip.mp4"), { width: 64, height: 64, seconds: 1, toneHz: null });
  await makeTone(file("good.m4a"), { frequencyHz: 880, seconds: 1 });
  await pretendUsac(file("good.m4a"), file("usac.m4a"));
  await renameBoxes(file("good.m4a"), file("mpegh.m4a"), [
    ["mp4a", "mhm1"],
    ["esds", "mhaC"],
  ]);
  // The first samples decode, so only rendering fails.
  await loseSamples(file("good.m4a"), file("half.m4a"), "soun", (i) => i > 4);
  await worker.start();
});
afterAll(() => worker[Symbol.asyncDispose]());

it("fails only the outputs of unusable tracks, in one attempt, each with its own track's number", async () => {
  const tracks = ["good.m4a", "usac.m4a", "mpegh.m4a", "half.m4a", "absent.m4a", "good.m4a"];
  const job = await worker.create({
    input_videos: [add("clip.mp4")],
    variants_per_video: 7,
    audio_enabled: true,
    custom_audio_links: tracks.map((name) => add(name, name === "absent.m4a" ? { kind: "notFound" } : undefined)),
  });
  const ended = await worker.finish(job);
  expect(ended).toMatchObject({ status: "Completed", retry_count: 0 });
  const outputs = await readJobOutputs(worker.context, job.id);
  expect(outputs.map(({ status, error_message }) => error_message ?? status)).toEqual([
    "Completed",
    expect.stringMatching(/^Track 2: This music uses a variant of AAC that Clipmill cannot decode\. Convert it to /),
    "Track 3: This music uses MPEG-H 3D Audio, which Clipmill cannot decode. Convert it to AAC or MP3 first.",
    "Track 4: The music file is damaged or incomplete.",
    expect.stringMatching(/^Track 5: /),
    "Completed",
    "Completed",
  ]);
  const [video] = await readJobVideos(worker.context, job.id);
  expect(video).toMatchObject({ status: "Failed", attempts: 1, error_message: outputs[1]!.error_message });
});
