import { installFromNpm } from "./install-from-npm.ts";

/** Downloads n8n, and returns the folder. */
export async function installN8n(): Promise<string> {
  return await installFromNpm("n8n", ["n8n@2.41.1"]);
}

/** Downloads the linter and compiler for nodes, apart from n8n: they share packages of other versions. */
export async function installN8nLinter(): Promise<string> {
  return await installFromNpm("n8n-linter", ["@n8n/node-cli@0.48.3", "typescript@5.8.3", "@types/node@24.19.2"]);
}
