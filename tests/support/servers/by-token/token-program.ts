import type { SupabaseClient } from "@supabase/supabase-js";
import type { CreateTokenResponse } from "#contract/api-tokens.ts";
import { mkdir, mkdtemp } from "node:fs/promises";
import path from "node:path";
import { type ClipmillProcess, type CommandLine, startProgram } from "../clipmill-process.ts";

export async function createTokenForWorkers(client: SupabaseClient, labels: readonly string[]) {
  const body = { name: "Far away", scopes: ["worker"], worker_labels: labels };
  const { data, error } = await client.functions.invoke<CreateTokenResponse>("tokens", { body });
  if (error) throw error;
  return { id: data!.data.id, token: data!.token };
}

export async function revokeTokenOfWorkers(client: SupabaseClient, id: string): Promise<void> {
  const { error } = await client.functions.invoke("tokens", { body: { id, revoke: true } });
  if (error) throw error;
}

/** Starts a worker that gets only the server's address and the token, by default in a new data directory. */
export async function startTokenProgram(
  folder: string,
  {
    server,
    token,
    environment = {},
    ...options
  }: {
    server: string;
    token: string;
    environment?: Record<string, string>;
    dataDir?: string;
  } & CommandLine,
): Promise<ClipmillProcess & { dataDir: string }> {
  const { dataDir = await mkdtemp(path.join(folder, "token-worker-")), ...line } = options;
  await mkdir(dataDir, { recursive: true });
  // No bucket of the test run either.
  const none = { DATABASE_URL: "", STORAGE_URL: "", APP_SECRET: "", WORKER_CONCURRENCY: "1" };
  const words = ["--server", server];
  const own = { ...none, CLIPMILL_TOKEN: token, ...environment };
  return { ...(await startProgram("worker", dataDir, own, { words, ...line })), dataDir };
}
