import { installFromNpm } from "./install-from-npm.ts";

/** The versions that the node is tested with. */
const N8N = "2.41.3";
const NODE_CLI = "0.48.3";
const TYPESCRIPT = "5.8.3";

/** Downloads n8n with its linter and compiler of nodes, 2 GB, and returns the folder. */
export async function installN8n(): Promise<string> {
  return await installFromNpm("n8n", [
    `n8n@${N8N}`,
    `n8n-workflow@2.41.0`,
    `@n8n/node-cli@${NODE_CLI}`,
    `typescript@${TYPESCRIPT}`,
  ]);
}
