/** Bundles the nodes for n8n with the typed client, as the package n8n-nodes-clipmill. */
import path from "node:path";
import { defineConfig } from "vite";
import { packageFiles } from "./dev/package-files.ts";

const SOURCE = "clients/n8n";
const ENTRIES = [
  "credentials/ClipmillApi.credentials",
  "nodes/Clipmill/Clipmill.node",
  "nodes/ClipmillTrigger/ClipmillTrigger.node",
];
const OTHERS = [
  "icons/clipmill.svg",
  "icons/clipmill.dark.svg",
  "nodes/Clipmill/Clipmill.node.json",
  "nodes/ClipmillTrigger/ClipmillTrigger.node.json",
];

export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: "node24",
    outDir: "dist/n8n",
    emptyOutDir: true,
    minify: false,
    rolldownOptions: {
      external: ["n8n-workflow"],
      input: Object.fromEntries(ENTRIES.map((name) => [name, `${SOURCE}/${name}.ts`])),
      // n8n's rules for packages forbid timers: the typed client waits with n8n's.
      transform: {
        inject: {
          setTimeout: [path.resolve(SOURCE, "nodes/Clipmill/timers.ts"), "setTimeout"],
          clearTimeout: [path.resolve(SOURCE, "nodes/Clipmill/timers.ts"), "clearTimeout"],
        },
      },
      output: { format: "cjs", entryFileNames: "dist/[name].js", chunkFileNames: "dist/parts/[name].js" },
    },
  },
  plugins: [
    packageFiles({
      "package.json": `${SOURCE}/package.json`,
      "README.md": `${SOURCE}/README.md`,
      LICENSE: "LICENSE",
      ...Object.fromEntries(OTHERS.map((file) => [`dist/${file}`, `${SOURCE}/${file}`])),
    }),
  ],
});
