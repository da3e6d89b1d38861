/** Bundles the command line with all its packages, as a package of its own. */
import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

const OTHERS = { "package.json": "clients/cli/package.json", "README.md": "clients/cli/README.md", LICENSE: "LICENSE" };

export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: "node24",
    outDir: "dist/cli",
    emptyOutDir: true,
    rolldownOptions: {
      input: { clipmill: "src/remote-cli.ts" },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name].js",
        banner: (chunk) => (chunk.isEntry ? "#!/usr/bin/env node" : ""),
      },
    },
  },
  plugins: [
    {
      name: "package-files",
      generateBundle() {
        for (const [fileName, file] of Object.entries(OTHERS)) {
          this.emitFile({ type: "asset", fileName, source: readFileSync(file, "utf8") });
        }
      },
    },
  ],
});
