/**
 * A local twin of yt-dlp: an executable that reads the same options and writes what yt-dlp 2026.08.19 writes (README,
 * "Usage and options"; observed with its generic extractor on 2026-11-22: one line of JSON before the download, `null`
 * and exit code 1 after an error, exit code 0 and no file for a video that is filtered or too large).
 */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

type TwinVideo = {
  /** Fields of the information dictionary besides the usual ones; null for output that is not JSON. */
  info?: Record<string, unknown> | null;
  bytes?: Buffer;
  /** A line of stderr after "ERROR: ". */
  error?: string;
  /** Never ends, and its unknown size makes --max-filesize ineffective. */
  isEndless?: boolean;
};

export type YtDlpTwin = {
  path: string;
  add(address: string, video: TwinVideo): Promise<void>;
  runs(): Promise<string[][]>;
};

const SCRIPT = `#!/bin/sh
here=$(dirname "$0")
for argument in "$@"; do
  printf '%s\\t' "$argument" >> "$here/runs"
  case "$argument" in
    --output=*) output=$(printf '%s' "\${argument#--output=}" | sed 's/%%/%/g; s/%(ext)s/mp4/') ;;
    --max-filesize=*) most=\${argument#--max-filesize=} ;;
    --match-filters=!is_live) skips_live=yes ;;
  esac
  address=$argument
done
echo >> "$here/runs"
video="$here/videos/$(printf '%s' "$address" | tr -c 'a-zA-Z0-9' _)"
[ -d "$video" ] || { echo "ERROR: [generic] Video unavailable" >&2; echo null; exit 1; }
[ -f "$video/error" ] && { cat "$video/error" >&2; echo null; exit 1; }
[ -n "$skips_live" ] && grep -q '"is_live":true' "$video/info" && exit 0
cat "$video/info"
[ -n "$output" ] || exit 0
if [ -f "$video/endless" ]; then cp "$video/bytes" "$output"; exec sleep 60; fi
[ "$(wc -c < "$video/bytes")" -gt "$most" ] || cp "$video/bytes" "$output"
`;

export async function writeYtDlpTwin(parent: string): Promise<YtDlpTwin> {
  const folder = path.join(parent, "yt-dlp-twin");
  await mkdir(path.join(folder, "videos"), { recursive: true });
  const file = path.join(folder, "yt-dlp");
  await writeFile(file, SCRIPT);
  await chmod(file, 0o755);
  return {
    path: file,
    async add(address, { info = {}, bytes = Buffer.from("video"), error, isEndless = false }) {
      const own = path.join(folder, "videos", address.replaceAll(/[^a-zA-Z0-9]/g, "_"));
      await mkdir(own, { recursive: true });
      const usual = { _type: "video", title: "A title", duration: 12, width: 1080, height: 1920, is_live: false };
      const written = info === null ? "<!DOCTYPE html>" : JSON.stringify({ ...usual, acodec: "mp4a.40.2", ...info });
      await writeFile(path.join(own, "info"), `${written}\n`);
      await writeFile(path.join(own, "bytes"), bytes);
      if (error !== undefined) await writeFile(path.join(own, "error"), `ERROR: ${error}\n`);
      if (isEndless) await writeFile(path.join(own, "endless"), "");
    },
    async runs() {
      const lines = (await readFile(path.join(folder, "runs"), "utf8")).replace(/\n$/, "").split("\n");
      return lines.map((line) => line.split("\t").slice(0, -1));
    },
  };
}
