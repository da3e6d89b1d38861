import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { readTestFfmpeg, runTestFfmpeg } from "#tests/support/media/media-tools.ts";
import { readDecodeErrors } from "#tests/support/media/measure.ts";
import { renderClip } from "#tests/support/media/render-clip.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();
const PLACE = "52.5200";
/** An unregistered SEI message, as drones and dashboard cameras write it. */
const SEI = `h264_metadata=sei_user_data=086f3693-b7b3-4f2c-9653-21492feee5b8+GPS ${PLACE}`;

/** Writes a location to the picture stream and to container and stream tags. */
async function film(name: string): Promise<string> {
  const plain = path.join(folder, `plain-${name}`);
  const inputs = ["-f", "lavfi", "-i", "testsrc2=s=180x320:r=30:d=1", "-f", "lavfi", "-i", "sine=d=1:r=48000"];
  const coding = ["-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p", "-c:a", "aac", "-ac", "2"];
  await runTestFfmpeg([...inputs, ...coding, plain]);
  const tags = ["-metadata", `location=+${PLACE}+013.4000/`, "-metadata", `comment=${PLACE}`];
  const streamTags = ["-metadata:s:v", `handler_name=at ${PLACE}`, "-metadata:s:v", `title=at ${PLACE}`];
  const made = path.join(folder, name);
  const copy = ["-c", "copy", "-movflags", "use_metadata_tags"];
  await runTestFfmpeg(["-i", plain, ...copy, "-bsf:v", SEI, ...tags, ...streamTags, made]);
  expect((await readFile(made)).toString("latin1")).toContain(`GPS ${PLACE}`);
  return made;
}

async function frames(file: string): Promise<string[]> {
  const { stdout } = await readTestFfmpeg(["-v", "error", "-i", file, "-map", "0:v", "-f", "framemd5", "-"]);
  return Buffer.from(stdout)
    .toString()
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .map((line) => line.slice(line.lastIndexOf(",")));
}

test.each(["film.mp4", "film.mkv"])("a copied picture of %s has no location and identical frames", async (name) => {
  const source = await film(name);
  const [copied] = await renderClip(path.join(folder, `${name}-copied`), { source });
  expect((await readFile(copied!.path)).toString("latin1")).not.toContain(PLACE);
  const made = await frames(copied!.path);
  expect(made).toHaveLength(30);
  expect(made).toEqual(await frames(source));
  expect(await readDecodeErrors(copied!.path)).toBe("");
});

test("an encoded picture has no location", async () => {
  const [drawnOn] = await renderClip(path.join(folder, "drawn"), { source: await film("drawn.mp4"), watermark: "@" });
  expect((await readFile(drawnOn!.path)).toString("latin1")).not.toContain(PLACE);
});
