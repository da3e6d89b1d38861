import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fetchInstagramAudio } from "./instagram.ts";

const URL = "https://www.instagram.com/reel/CxYz_12/";
let folder: string;
let toPath: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "clipmill-instagram-"));
  toPath = path.join(folder, "100% sound");
});
afterEach(async () => await rm(folder, { recursive: true }));

/** A shell script in place of yt-dlp. Sets $output and saves the arguments in the file `arguments`. */
async function fakeYtDlp(script: string): Promise<string> {
  const file = path.join(folder, "yt-dlp");
  const head = `#!/bin/sh
printf '%s\\n' "$@" > "${folder}/arguments"
for argument in "$@"; do case "$argument" in --output=*) output=$(printf '%s' "\${argument#--output=}" | sed 's/%%/%/g');; esac; done
`;
  await writeFile(file, head + script);
  await chmod(file, 0o755);
  return file;
}

function fetchWith(ytDlpPath: string | null, more: { maxBytes?: number; signal?: AbortSignal } = {}) {
  const environment = { PATH: process.env["PATH"] ?? "" };
  const signal = new AbortController().signal;
  return fetchInstagramAudio(URL, { ytDlpPath, environment, toPath, maxBytes: 1000, signal, ...more });
}

describe("fetchInstagramAudio", () => {
  it("explains how to install a missing yt-dlp", async () => {
    await expect(fetchWith(path.join(folder, "nothing"))).rejects.toMatchObject({
      code: "no_tool",
      message: "Instagram links need yt-dlp, which is not installed. Install it, or set YT_DLP_PATH to its path.",
      isRetryable: false,
    });
  });

  it("fetches only the requested post, without local settings", async () => {
    const tool = await fakeYtDlp('printf sound > "$output"');
    expect(await fetchWith(tool)).toEqual({ name: "instagram-CxYz_12", sizeBytes: 5 });
    expect(await readFile(toPath, "utf8")).toBe("sound");
    const given = (await readFile(path.join(folder, "arguments"), "utf8")).trimEnd().split("\n");
    expect(given).toEqual(expect.arrayContaining(["--ignore-config", "--no-playlist", "--max-filesize=1000"]));
    expect(given.slice(-2)).toEqual(["--", URL]);
  });

  it("explains an unavailable post and leaves no file", async () => {
    const tool = await fakeYtDlp('printf part > "$output"; echo "ERROR: login required" >&2; exit 1');
    await expect(fetchWith(tool)).rejects.toMatchObject({
      code: "source_not_found",
      facts: { exitCode: 1 },
      tail: "ERROR: login required",
    });
    await expect(stat(toPath)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it.each([
    ["HTTP Error 429: Too Many Requests", "rate_limited"],
    ["HTTP Error 503: Service Unavailable", "network"],
    [
      "Unable to download webpage: [Errno -3] Temporary failure in name resolution (caused by TransportError())",
      "network",
    ],
    ["The read operation timed out", "network"],
    ["HTTP Error 404: Not Found", "source_not_found"],
  ])("reads %j as %s", async (line, code) => {
    const tool = await fakeYtDlp(`echo 'ERROR: [Instagram] CxYz_12: ${line}' >&2; exit 1`);
    await expect(fetchWith(tool)).rejects.toMatchObject({ code, isRetryable: code !== "source_not_found" });
  });

  it.each([
    ["is over the limit", 'head -c 1001 /dev/zero > "$output"'],
    ["was skipped for its size", "exit 0"],
  ])("rejects a file that %s", async (_, script) => {
    await expect(fetchWith(await fakeYtDlp(script))).rejects.toMatchObject({ code: "too_large" });
    await expect(stat(toPath)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("ends when its signal aborts", async () => {
    const tool = await fakeYtDlp("exec sleep 60");
    const signal = AbortSignal.timeout(100);
    await expect(fetchWith(tool, { signal })).rejects.toMatchObject({ code: "cancelled" });
  });
});
