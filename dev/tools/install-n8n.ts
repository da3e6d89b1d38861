import { installFromNpm } from "./install-from-npm.ts";

/** Downloads n8n with the linter and compiler for nodes, and returns the folder. */
export async function installN8n(): Promise<string> {
  return await installFromNpm("n8n", [
    "n8n@2.41.3",
    "@n8n/node-cli@0.48.3",
    "typescript@5.8.3",
    "@types/node@24.19.2",
  ]);
}
