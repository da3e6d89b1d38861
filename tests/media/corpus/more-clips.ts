import { readFile, writeFile } from "node:fs/promises";
import { makeTone } from "#tests/support/make-clip.ts";
import { runTestFfmpeg } from "#tests/support/media-tools.ts";
import { AAC, codedClip, type CorpusClip, H264 } from "./corpus-clip.ts";
import { beepTimes } from "./coded-sound.ts";
import { dropSyncSamples, type Edit, writeEdits } from "./patch-mp4.ts";

function expectEdits(edits: readonly Edit[]) {
  const moved = (seconds: number) => {
    let start = 0;
    for (const [from, to] of edits) {
      if (seconds >= from - 1e-6 && seconds < to - 1e-6) return start + seconds - from;
      start += to - from;
    }
    return null;
  };
  const played = edits.reduce((s, [a, b]) => s + b - a, 0);
  const shown = Array.from({ length: 60 }, (_, number) => ({ number, seconds: moved(number / 30) }));
  return {
    seconds: played, soundSeconds: played,
    shown: shown.flatMap(({ number, seconds }) => (seconds === null ? [] : [{ number, seconds }])),
    beeps: beepTimes(2).map((beep) => moved(beep)),
  };
}
const LONG = [...H264, "-g", "600"];
const edit = (name: string, edits: Edit[], drop: boolean, picture = LONG) => codedClip(`x-edit-${name}.mp4`, "x", {
  picture,
  async finish(made, file) {
    await writeEdits(made, drop ? `${file}.e` : file, edits);
    if (drop) await dropSyncSamples(`${file}.e`, file);
  },
  expected: expectEdits(edits),
});
const join = (name: string, parts: object[], one = (x: Buffer) => x) => codedClip(`x-join-${name}.mp4`, "x", {
  seconds: 3,
  async makeMusic(file) {
    for (const [i, part] of parts.entries()) await makeTone(`${file}.${i}.mp3`, { frequencyHz: 440 + 160 * i, seconds: 1.2, ...part });
    await writeFile(file, Buffer.concat((await Promise.all(parts.map((_, i) => readFile(`${file}.${i}.mp3`)))).map(one)));
  },
});
const width = (name: string, w: number, picture: string[] = []) => codedClip(`x-width-${name}`, "x", {
  width: 208, height: 108, seconds: 1, picture: [...H264, ...picture],
  async finish(made, file) {
    const bytes = await readFile(made);
    bytes.writeUInt16BE(w, bytes.indexOf("avc1", bytes.indexOf("stsd")) + 28);
    if (name.includes("both")) { bytes.writeUInt32BE(w * 65_536, bytes.indexOf("tkhd") + 80); }
    await writeFile(file, bytes);
  },
});
export const MORE: CorpusClip[] = [
  edit("g", [[0.5, 2]], false),
  edit("g-two", [[0, 0.5], [1, 2]], false),
  edit("g-drop", [[0.5, 2]], true),
  edit("g-late", [[1.2, 2]], false),
  edit("g-late-drop", [[1.2, 2]], true),
  edit("bf-drop", [[0.5, 2]], true, [...LONG, "-bf", "3"]),
  edit("bf", [[0.5, 2]], false, [...LONG, "-bf", "3"]),
  codedClip("x-copy.mp4", "x", { picture: LONG, finish: (made, file) => runTestFfmpeg(["-ss", "0.5", "-i", made, "-c", "copy", file]), expected: expectEdits([[0.5, 2]]) }),
  codedClip("x-copy-drop.mp4", "x", { picture: LONG, async finish(made, file) { await runTestFfmpeg(["-ss", "0.5", "-i", made, "-c", "copy", `${file}.c.mp4`]); await dropSyncSamples(`${file}.c.mp4`, file); }, expected: expectEdits([[0.5, 2]]) }),
  join("rates", [{}, { sampleRate: 44_100, channels: 1 }]),
  join("mono", [{}, { channels: 1 }]),
  join("mono-first", [{ channels: 1 }, {}]),
  join("three", [{}, {}, {}]),
  join("tags", [{ outputOptions: ["-metadata", "title=a"] }, { outputOptions: ["-metadata", "title=b"] }]),
  join("v", [{ outputOptions: ["-q:a", "2"] }, { outputOptions: ["-q:a", "9"] }]),
  codedClip("x-rate.mkv", "x", {
    rate: "30000/1001", seconds: 2.002,
    async finish(made, file) {
      const bytes = await readFile(made);
      const at = bytes.indexOf(Buffer.from("23e38384", "hex"));
      if (at < 0) throw new Error("no default duration");
      bytes.writeUInt32BE(1_000_000, at + 4);
      await writeFile(file, bytes);
    },
  }),
  codedClip("x-late-0.1.mkv", "x", { output: ["-output_ts_offset", "0.1"] }),
  codedClip("x-late-0.4.mkv", "x", { output: ["-output_ts_offset", "0.4"] }),
  codedClip("x-late-pic-0.1.mkv", "x", { delay: 0.1, sound: { seconds: 2.1, beeps: [0.3, 1.2, 1.9] }, expected: { seconds: 2.1 } }),
  codedClip("x-late-pic-silent.mkv", "x", { delay: 0.1, sound: null, expected: { seconds: 2.1 } }),
  codedClip("x-late-0.1-silent.mkv", "x", { sound: null, output: ["-output_ts_offset", "0.1"] }),
  width("both-smaller.mp4", 192), width("both-larger.mp4", 224), width("both-hevc.mp4", 192, []),
  width("smaller.mp4", 192), width("larger.mp4", 224),
  width("smaller.mov", 192),
  codedClip("x-sar.mp4", "x", { width: 208, height: 108, seconds: 1, filters: ["scale=202:108", "setsar=104/101", "format=gbrp", "zscale=matrix=709:range=limited", "format=yuv420p", "setparams=color_primaries=bt709:color_trc=bt709"] }),
];
void AAC;
