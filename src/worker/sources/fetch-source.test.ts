import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { createSourceReader } from "#operations/sources/source-reader.ts";
import { openTestContext } from "#tests/support/test-context.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { contactUnconditionally } from "#operations/hosts/contact-host.ts";
import { fetchTrack } from "./fetch-source.ts";
import { openSourceCache } from "./source-cache.ts";

afterEach(() => vi.unstubAllEnvs());

test.skipIf(process.platform === "win32")("yt-dlp gets only the environment variables it needs", async () => {
  const folder = await makeScratchFolder();
  const [tool, seen] = [path.join(folder, "yt-dlp"), path.join(folder, "seen")];
  const output = `for argument in "$@"; do case "$argument" in --output=*) output="\${argument#--output=}";; esac; done`;
  await writeFile(tool, `#!/bin/sh\nenv > ${seen}\n${output}\nprintf sound > "$output"\n`);
  await chmod(tool, 0o755);
  const secrets = { ADMIN_PASSWORD: "p", APP_SECRET: "s", DATABASE_URL: "d", AWS_SECRET_ACCESS_KEY: "a" };
  const needed = { HOME: folder, TMPDIR: folder, HTTPS_PROXY: "http://127.0.0.1:9", LANG: "C.UTF-8" };
  for (const [name, value] of Object.entries({ ...secrets, ...needed })) vi.stubEnv(name, value);
  await using stack = new AsyncDisposableStack();
  const { context } = await openTestContext(stack, folder, { hosts: { ytDlpPath: tool } });
  const worker = {
    reader: createSourceReader(context),
    tools: { ffmpeg: "ffmpeg" },
    sources: await openSourceCache(path.join(folder, "cache"), 1_000),
  };
  const fetching = { jobId: "job", folder, signal: new AbortController().signal, contact: contactUnconditionally };
  const track = await fetchTrack(worker, "https://www.instagram.com/reel/CxYz_12/", fetching);
  expect(await readFile(track.path, "utf8")).toBe("sound");
  const names = (await readFile(seen, "utf8")).split("\n").map((line) => line.split("=")[0]);
  expect(names).toEqual(expect.arrayContaining(["PATH", ...Object.keys(needed)]));
  for (const name of Object.keys(secrets)) expect(names).not.toContain(name);
});
