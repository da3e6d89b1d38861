import { mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { buffer, text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { processesNaming } from "#tests/support/media/measure.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { createForkServer } from "./fork-server.ts";
import { programLimits } from "./isolation.ts";
import { type Program, startChild } from "./start-program.ts";

/** Finds the servers of this run by their environment. */
const MARK = `FORK_SERVER_OF_TEST_${process.pid}=`;
const LIMITS = { serverLimits: [], programLimits, startAlone: startChild };
const server = createForkServer(LIMITS);
const shell = (script: string, outputs: number[] = [1, 2]): Program => ({
  file: "sh",
  args: ["-c", script],
  env: { PATH: process.env.PATH! },
  outputs,
});

test.skipIf(process.platform !== "linux").each([1, 2])("passes on all of output %d", async (number) => {
  const { outputs, ended } = server.start(shell(`seq 100000 >&${number}`, [number]));
  expect((await text(outputs[number]!)).split("\n").slice(-2)).toEqual(["100000", ""]);
  expect(await ended).toEqual({ exitCode: 0, signal: null, startErrorCode: null });
});

test.skipIf(process.platform !== "linux")("passes on all that ffmpeg writes to a further pipe", async () => {
  const { ffmpeg } = await testTools();
  const source = ["-f", "lavfi", "-i", "color=s=640x640:r=30:d=1"];
  const args = ["-nostdin", "-v", "error", ...source, "-f", "rawvideo", "-pix_fmt", "gray", "pipe:3"];
  const { outputs, ended } = server.start({ ...shell("", [3]), file: ffmpeg, args });
  expect((await buffer(outputs[3]!)).length).toBe(640 * 640 * 30);
  expect(await ended).toMatchObject({ exitCode: 0 });
});

test.skipIf(process.platform !== "linux")("reports exit codes and signals of programs side by side", async () => {
  const ends = await Promise.all(
    ["exit 7", "kill -ABRT $$", "kill -KILL $$", "true"].map(async (script) => {
      const { outputs, ended } = server.start(shell(script));
      for (const output of Object.values(outputs)) output.resume();
      const { exitCode, signal } = await ended;
      return exitCode ?? signal;
    }),
  );
  expect(ends).toEqual([7, "SIGABRT", "SIGKILL", 0]);
});

test.skipIf(process.platform !== "linux")("a program killed before it has started ends", async () => {
  const { outputs, ended, kill } = server.start(shell("exec sleep 1000"));
  kill("SIGTERM");
  for (const output of Object.values(outputs)) output.resume();
  expect(await ended).toMatchObject({ signal: "SIGTERM" });
});

test.skipIf(process.platform !== "linux")("a program that cannot be started ends with the reason", async () => {
  const { outputs, ended } = server.start({ ...shell(""), file: "/nowhere/program" });
  for (const output of Object.values(outputs)) output.resume();
  expect((await ended).exitCode ?? (await ended).startErrorCode).toSatisfy((end) => end === 127 || end === "ENOENT");
});

test.skipIf(process.platform !== "linux")("programs start without a server that cannot be started", async () => {
  const missing = createForkServer({ ...LIMITS, serverLimits: ["/nowhere/limits"] });
  // The second starts after the failure is known.
  for (const answer of ["first", "second"]) {
    const { outputs, ended } = missing.start(shell(`echo ${answer}; exit 3`));
    outputs[2]!.resume();
    expect(await text(outputs[1]!)).toBe(`${answer}\n`);
    expect(await ended).toMatchObject({ exitCode: 3 });
  }
  const failing = createForkServer({ ...LIMITS, serverLimits: ["false"] });
  const { outputs, ended, kill } = failing.start(shell("exec sleep 1000"));
  kill("SIGTERM");
  for (const output of Object.values(outputs)) output.resume();
  expect(await ended).toMatchObject({ signal: "SIGTERM" });
});

test.skipIf(process.platform !== "linux")(
  "programs of a killed server end, and the next program gets a new one",
  async () => {
    const own = createForkServer({ ...LIMITS, serverLimits: ["env", `${MARK}1`] });
    const { outputs, ended } = own.start(shell("echo started; exec sleep 1000"));
    outputs[2]!.resume();
    const [line] = await Array.fromAsync(outputs[1]!.take(1));
    expect(String(line)).toBe("started\n");
    const [pid] = await serversOf(`${MARK}1`);
    process.kill(pid!, "SIGKILL");
    expect(await ended).toMatchObject({ signal: "SIGKILL" });
    const next = own.start(shell("echo again"));
    next.outputs[2]!.resume();
    expect(await text(next.outputs[1]!)).toBe("again\n");
  },
);

test.skipIf(process.platform !== "linux")("its process ends when no program has run for a while", async () => {
  const own = createForkServer({ ...LIMITS, serverLimits: ["env", `${MARK}2`], idleMilliseconds: 200 });
  const run = async (script: string) => {
    const { outputs, ended } = own.start(shell(script));
    for (const output of Object.values(outputs)) output.resume();
    return (await ended).exitCode;
  };
  // The first end must not count as idle while the second program runs.
  expect(await Promise.all([run("true"), run("sleep 0.7; exit 3")])).toEqual([0, 3]);
  await expect.poll(() => serversOf(`${MARK}2`)).toEqual([]);
  expect(await run("exit 4")).toBe(4);
});

test.skipIf(process.platform !== "linux")("programs start without it where a socket's path is too long", async () => {
  const deep = path.join(await makeScratchFolder(), "x".repeat(100));
  await mkdir(deep);
  vi.stubEnv("TMPDIR", deep);
  onTestFinished(() => void vi.unstubAllEnvs());
  const alone: Program[] = [];
  const startAlone = (program: Program) => {
    alone.push(program);
    return startChild(program);
  };
  const own = createForkServer({ ...LIMITS, startAlone });
  const { outputs, ended } = own.start(shell("echo alone"));
  outputs[2]!.resume();
  expect(await text(outputs[1]!)).toBe("alone\n");
  expect(await ended).toMatchObject({ exitCode: 0 });
  expect(alone).toHaveLength(1);
  expect(await readdir(deep)).toEqual([]);
});

async function serversOf(variable: string): Promise<number[]> {
  const all = await processesNaming("fork-server-process");
  const mine = await Promise.all(
    all.map(async (pid) => (await readFile(`/proc/${pid}/environ`, "utf8")).includes(variable)),
  );
  return all.filter((_, index) => mine[index]);
}
