/** Only npm or npx gets the SIGTERM, as from a supervisor. */
import { execa } from "execa";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findFreePort } from "./support/network/free-port.ts";
import { copyInstallation } from "./support/servers/installed-clipmill.ts";
import { makeScratchFolder } from "./support/scratch-folder.ts";

const folder = await makeScratchFolder();

type Started = {
  url: string;
  group: number;
  ended: Promise<unknown>;
  printed: () => string;
  terminate: () => void;
};

async function startByNpm(command: readonly string[]): Promise<Started> {
  const port = String(await findFreePort());
  const dataDir = path.join(folder, port);
  await copyInstallation(dataDir);
  const child = spawn(command[0]!, command.slice(1), {
    cwd: path.resolve(import.meta.dirname, ".."),
    // Its processes are a group, which this test can watch.
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, PORT: port, REDIRECTOR_PORT: "0" },
      ...{ DATA_DIR: dataDir, VPS_PUBLISH_TOKEN: "a token of the test" },
    },
  });
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-child.pid!, name);
    } catch {
      return false;
    }
  };
  onTestFinished(() => void signal("SIGKILL"));
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  return {
    url: `http://127.0.0.1:${port}`,
    group: child.pid!,
    ended: once(child, "exit"),
    printed: () => printed,
    terminate: () => void child.kill("SIGTERM"),
  };
}

const responds = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Commands of its processes. Excludes those that have ended, which the system may not have cleared yet. */
async function findAlive({ group }: Started): Promise<string[]> {
  const { stdout } = await execa("ps", ["-eo", "pgid=,stat=,args="]);
  return stdout.split("\n").filter((line) => new RegExp(`^ *${group} [^Z]`).test(line));
}

/** True as soon as the process exists, before it reads any file. */
async function isLaunched({ group }: Started): Promise<boolean> {
  const { stdout } = await execa("ps", ["-eo", "pgid=,args="]);
  return stdout.split("\n").some((line) => new RegExp(`^ *${group} \\S*node \\S*bin/clipmill.js start`).test(line));
}

it.each<[string, (npm: Started) => Promise<void>]>([
  [
    "as soon as it exists",
    async (npm) => {
      await expect.poll(() => isLaunched(npm), { interval: 5 }).toBe(true);
    },
  ],
  [
    "during the start",
    async (npm) => {
      await expect.poll(() => responds(npm.url), { interval: 5 }).toBe(true);
    },
  ],
  [
    "while a client keeps its connection",
    async (npm) => {
      await expect.poll(npm.printed).toContain("Clipmill is ready");
      const agent = new Agent({ keepAlive: true });
      const [response] = await once(get(`${npm.url}/health`, { agent }), "response");
      (response as NodeJS.ReadableStream).resume();
      await once(response as NodeJS.ReadableStream & NodeJS.EventEmitter, "end");
    },
  ],
])("SIGTERM to npm start stops the server %s", async (_, moment) => {
  const npm = await startByNpm(["npm", "start"]);
  await moment(npm);
  npm.terminate();
  await npm.ended;
  // npm waits for the server.
  expect(await findAlive(npm)).toEqual([]);
});

it("SIGTERM to npx stops the program", async () => {
  const npx = await startByNpm(["npx", "clipmill", "redirector"]);
  await expect.poll(npx.printed).toContain("The redirector is ready");
  npx.terminate();
  await expect.poll(() => findAlive(npx)).toEqual([]);
});
