import { type ClipmillProcess, startProgram } from "#tests/support/servers/clipmill-process.ts";

/** Starts all of Clipmill in one process like `npm start`, without the flags of Node.js that tests use. */
export function startClipmill(dataDir: string, environment: Record<string, string> = {}): Promise<ClipmillProcess> {
  return startProgram("start", dataDir, environment, { nodeFlags: [] });
}
