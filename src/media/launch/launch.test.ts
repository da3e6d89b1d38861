import { buffer, text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { testTools } from "#tests/support/media/media-tools.ts";
import { launch } from "./launch.ts";

const shell = (script: string, outputs: number[] = [1, 2]) => launch("sh", { args: ["-c", script], outputs });

test.each([1, 2])("passes on all of output %d", async (number) => {
  const { outputs, ended } = shell(`seq 100000 >&${number}`, [number]);
  expect((await text(outputs[number]!)).split("\n").slice(-2)).toEqual(["100000", ""]);
  expect(await ended).toEqual({ exitCode: 0, signal: null, startErrorCode: null });
});

test("passes on all that ffmpeg writes to a further pipe", async () => {
  const { ffmpeg } = await testTools();
  const source = ["-f", "lavfi", "-i", "color=s=640x640:r=30:d=1"];
  const args = ["-nostdin", "-v", "error", ...source, "-f", "rawvideo", "-pix_fmt", "gray", "pipe:3"];
  const { outputs, ended } = launch(ffmpeg, { args, outputs: [3] });
  expect((await buffer(outputs[3]!)).length).toBe(640 * 640 * 30);
  expect(await ended).toMatchObject({ exitCode: 0 });
});

test("reports exit codes and signals of programs side by side", async () => {
  const ends = await Promise.all(
    ["exit 7", "kill -ABRT $$", "kill -KILL $$", "true"].map(async (script) => {
      const { outputs, ended } = shell(script);
      for (const output of Object.values(outputs)) output.resume();
      const { exitCode, signal } = await ended;
      return exitCode ?? signal;
    }),
  );
  expect(ends).toEqual([7, "SIGABRT", "SIGKILL", 0]);
});

test("a program killed before it has started ends", async () => {
  const { outputs, ended, kill } = shell("exec sleep 1000");
  kill("SIGTERM");
  for (const output of Object.values(outputs)) output.resume();
  expect(await ended).toMatchObject({ signal: "SIGTERM" });
});

test("a program that cannot be started ends with the reason", async () => {
  const { outputs, ended } = launch("/nowhere/program", { args: [], outputs: [1, 2] });
  for (const output of Object.values(outputs)) output.resume();
  expect((await ended).exitCode ?? (await ended).startErrorCode).toSatisfy((end) => end === 127 || end === "ENOENT");
});
