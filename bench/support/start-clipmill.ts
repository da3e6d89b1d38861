import { type ClipmillProcess, startProgram } from "#tests/support/servers/clipmill-process.ts";

/** Omits the Node.js flags that tests use. */
export function startClipmill(dataDir: string, environment: Record<string, string> = {}): Promise<ClipmillProcess> {
  return startProgram("start", dataDir, environment, { nodeFlags: [] });
}
