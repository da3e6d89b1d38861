import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { checkEncoder } from "#media/ffmpeg/check-encoder.ts";
import { openEncoder } from "#media/ffmpeg/encoder-in-use.ts";
import type { MediaTools } from "#media/ffmpeg/tools.ts";
import { testTools } from "../media-tools.ts";

const BEHAVIORS = {
  works: 'exec "$ffmpeg" "$@"',
  failsAtOnce: "echo '[h264_nvenc @ 0x1] Cannot load libcuda.so.1' >&2; exit 1",
  /** As when too many programs use it. */
  failsOnce: "echo works > \"$0-behavior\"; echo 'OpenEncodeSessionEx failed: out of memory (10)' >&2; exit 1",
  hangs: "exec sleep 600",
  /** As when the device is lost: half a file, then an error. */
  breaksOff: '"$ffmpeg" -t 0.3 "$@"; echo "[h264_nvenc @ 0x1] EncodePicture failed!: device lost (1)" >&2; exit 187',
  /** Unreadable files, without an error. */
  writesGarbage: [
    '"$ffmpeg" "$@" || exit 1',
    "for last; do :; done",
    'pattern=${last#file:}; for file in "${pattern%%%d.mp4}"*.mp4; do head -c 4096 /dev/urandom > "$file"; done',
  ].join("\n"),
  /** Readable files with wrong pictures. */
  drawsGarbage: 'exec "$ffmpeg" "$@"',
  ignoresKeyframes: 'exec "$ffmpeg" "$@"',
} as const;
export type GpuBehavior = keyof typeof BEHAVIORS;

export type GpuFfmpeg = {
  file: string;
  behave: (behavior: GpuBehavior) => Promise<void>;
  countRuns: () => Promise<number>;
};

/** Pretends to have h264_nvenc and encodes with libx264, for machines without a GPU. */
export async function makeGpuFfmpeg(folder: string): Promise<GpuFfmpeg> {
  const { ffmpeg } = await testTools();
  const file = path.join(folder, "gpu-ffmpeg");
  const log = path.join(folder, "gpu-ffmpeg.log");
  const behavior = path.join(folder, "gpu-ffmpeg-behavior");
  const cases = Object.entries(BEHAVIORS).map(([name, script]) => `${name}) ${script};;`);
  await writeFile(
    file,
    `#!/bin/sh
ffmpeg='${ffmpeg}'
case " $* " in *" h264_nvenc "*) ;; *) exec "$ffmpeg" "$@";; esac
echo h264_nvenc >> '${log}'
behavior=$(cat '${behavior}')
skips=
for argument do
  shift
  if [ "$skips" ]; then skips=; continue; fi
  case "$argument" in
    h264_nvenc) set -- "$@" libx264;;
    p5) set -- "$@" veryfast;;
    -cq) set -- "$@" -crf;;
    -rc|-b:v|-forced-idr) skips=1;;
    -force_key_frames) if [ "$behavior" = ignoresKeyframes ]; then skips=1; else set -- "$@" "$argument"; fi;;
    *"null[picture"*)
      if [ "$behavior" = drawsGarbage ]; then argument=$(printf %s "$argument" | sed 's/null.picture/negate[picture/g'); fi
      set -- "$@" "$argument";;
    *) set -- "$@" "$argument";;
  esac
done
case "$behavior" in
${cases.join("\n")}
esac
`,
  );
  await chmod(file, 0o755);
  await writeFile(log, "");
  const behave = (next: GpuBehavior): Promise<void> => writeFile(behavior, next);
  await behave("works");
  const countRuns = async (): Promise<number> => (await readFile(log, "utf8")).split("\n").length - 1;
  return { file, behave, countRuns };
}

/** Also returns the reason for each fallback to software. */
export async function openGpuTools(gpu: GpuFfmpeg): Promise<{ tools: MediaTools; rejections: string[] }> {
  const rejections: string[] = [];
  const encoder = await openEncoder("h264_nvenc", {
    check: () => checkEncoder(gpu.file, "h264_nvenc"),
    onRejected: (reason) => rejections.push(reason),
  });
  return { tools: { ...(await testTools()), ffmpeg: gpu.file, encoder }, rejections };
}
