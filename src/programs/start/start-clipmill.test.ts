import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readConfig } from "../../config.ts";
import { startClipmill } from "./start-clipmill.ts";

let folder: string;
let other: Server;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-start-"));
  other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
});

afterAll(async () => {
  other.close();
  await rm(folder, { recursive: true, force: true });
});

function start(ports: Record<string, string>) {
  const config = readConfig({ PORT: "0", REDIRECTOR_PORT: "0", DATA_DIR: path.join(folder, "data"), ...ports });
  return startClipmill(config, async () => path.join(folder, "web"), pino({ level: "silent" }));
}

it("names the port in use, and releases everything for the next start, including the first password", async () => {
  const taken = String((other.address() as AddressInfo).port);
  await expect(start({ PORT: taken })).rejects.toThrow(
    `Port ${taken} on 127.0.0.1 is in use by another program; set PORT to another one.`,
  );
  await expect(start({ REDIRECTOR_PORT: taken })).rejects.toThrow(
    `Port ${taken} on 127.0.0.1 is in use by another program; set REDIRECTOR_PORT to another one.`,
  );
  const clipmill = await start({});
  expect(clipmill.firstAccount?.generatedPassword).toMatch(/^\w{4}(-\w{4}){3}$/);
  await clipmill.stop();
});
