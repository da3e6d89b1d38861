import path from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { ClipmillError } from "#contract/errors.ts";
import { ENCODERS, type Encoder } from "#contract/settings/system.ts";
import { type Comparison, COPIES, tryEncoder } from "#media/encoder-trial/try-encoder.ts";
import { checkEncoder } from "#media/ffmpeg/check-encoder.ts";
import { findMediaTools } from "#media/ffmpeg/tools.ts";
import { readConfig } from "../config.ts";

type Options = { seconds: number; clip?: string[] };

export function addEncoderCommands(program: Command): void {
  program
    .command("encoder [name]")
    .description("Compare an encoder with software: speed, CPU time, size, VMAF. The default is ENCODER.")
    .option("--seconds <seconds>", "length of the generated clips", readSeconds, 5)
    .option("--clip <files...>", "your own videos, instead of generated clips")
    .action(async (name: string | undefined, { seconds, clip = [] }: Options) => {
      const config = readConfig(process.env);
      const encoder = name === undefined ? config.ENCODER : readEncoder(name);
      const tools = await findMediaTools({ ffmpegPath: config.FFMPEG_PATH, onRejected: console.error });
      const reason = await checkEncoder(tools.ffmpeg, encoder);
      if (reason !== null) {
        throw new ClipmillError("no_tool", `${encoder} does not work with ${tools.ffmpeg}: ${reason}`);
      }
      console.log(`${encoder} works with ${tools.ffmpeg} (${tools.version}).`);
      console.log(`Results for ${encoder}; in parentheses, compared with software.\n`);
      const files = clip.map((file) => path.resolve(file));
      await tryEncoder(
        tools,
        encoder,
        { seconds, files },
        {
          onCompared: (comparison, score) => console.log(describeComparison(comparison, score)),
          onCopies: (speeds) => console.log(`\n${describeCopies(speeds)}`),
        },
      );
    });
}

function readEncoder(name: string): Encoder {
  const encoder = ENCODERS.find((known) => known === name);
  if (encoder) return encoder;
  throw new ClipmillError("invalid", `There is no encoder named ${name}. Clipmill has ${ENCODERS.join(", ")}.`);
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds >= 1 && seconds <= 600) return seconds;
  throw new InvalidArgumentError("It must be a number from 1 to 600.");
}

function describeComparison({ clip, quality, encoder, software }: Comparison, score: string): string {
  const difference = encoder.score - software.score;
  const columns = [
    ...[clip.padEnd(12), quality.padEnd(10)],
    `${figure(encoder.framesPerSecond, 0, 6)} frames/s ${ratio(encoder.framesPerSecond, software.framesPerSecond)}`,
    `${figure(encoder.cpuSeconds, 2, 6)} s CPU ${ratio(encoder.cpuSeconds, software.cpuSeconds)}`,
    `${figure(encoder.bytes / 1_000, 0, 7)} kB ${ratio(encoder.bytes, software.bytes)}`,
    `${score} ${figure(encoder.score, 2, 6)} (${difference < 0 ? "" : "+"}${difference.toFixed(2)})`,
  ];
  return columns.join("  ");
}

function describeCopies({ encoder, software }: { encoder: number; software: number }): string {
  return `${COPIES} encodes at the same time: ${encoder.toFixed(0)} frames/s ${ratio(encoder, software)}`;
}

function figure(value: number, digits: number, width: number): string {
  return value.toFixed(digits).padStart(width);
}

function ratio(value: number, base: number): string {
  return `(${(value / base).toFixed(2)})`;
}
