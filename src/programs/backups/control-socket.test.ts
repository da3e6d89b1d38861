import { mkdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { pino } from "pino";
import { expect, it } from "vitest";
import { ClipmillError } from "#contract/errors.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { callRunningInstance, type CommandHandlers, listenForCommands } from "./control-socket.ts";

const folder = await makeScratchFolder();
const log = pino({ level: "silent" });

async function dataDirCalled(name: string): Promise<string> {
  const dataDir = path.join(folder, name);
  await mkdir(dataDir, { recursive: true });
  return dataDir;
}

const handlers: CommandHandlers = {
  echo: async ({ words }) => ({ words }),
  refuse: async () => {
    throw new ClipmillError("conflict", "Not now.");
  },
  fail: async () => {
    throw new Error("a stack that nobody is to see");
  },
};

it("returns handlers' results and known errors, but no details of unexpected ones", async () => {
  const dataDir = await dataDirCalled("short");
  await using listening = await listenForCommands(dataDir, handlers, log);
  expect(listening).toBeDefined();
  expect(await callRunningInstance(dataDir, { command: "echo", words: "ü\n" })).toEqual({ result: { words: "ü\n" } });
  await expect(callRunningInstance(dataDir, { command: "refuse" })).rejects.toThrow("Not now.");
  await expect(callRunningInstance(dataDir, { command: "fail" })).rejects.toThrow("See its log");
  await expect(callRunningInstance(dataDir, { command: "newer" })).rejects.toThrow("is a different version");
});

it("lets only the owner connect, even if the path is too long for a socket", async () => {
  for (const name of ["private", "long".repeat(40)]) {
    const dataDir = await dataDirCalled(name);
    await using listening = await listenForCommands(dataDir, handlers, log);
    expect(listening).toBeDefined();
    const socket = await readFile(path.join(dataDir, "control/address"), "utf8");
    expect(socket.startsWith(dataDir)).toBe(name === "private");
    expect((await stat(socket)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(socket))).mode & 0o777).toBe(0o700);
    expect(await callRunningInstance(dataDir, { command: "echo", words: name })).toEqual({ result: { words: name } });
  }
});

it("returns null before the first start and after a stop", async () => {
  const dataDir = await dataDirCalled("gone");
  expect(await callRunningInstance(dataDir, { command: "echo" })).toBeNull();
  await (await listenForCommands(dataDir, handlers, log))[Symbol.asyncDispose]();
  expect(await callRunningInstance(dataDir, { command: "echo" })).toBeNull();
});

it("aborts running commands when it stops, and reports that to the caller", async () => {
  const dataDir = await dataDirCalled("stopped");
  const started = Promise.withResolvers<AbortSignal>();
  const endless: CommandHandlers = {
    wait: (_, signal) => {
      started.resolve(signal);
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    },
  };
  const listening = await listenForCommands(dataDir, endless, log);
  const asked = callRunningInstance(dataDir, { command: "wait" }).catch((error: Error) => error.message);
  const signal = await started.promise;
  await listening[Symbol.asyncDispose]();
  expect(await asked).toContain("was stopped");
  expect(signal.aborted).toBe(true);
});
