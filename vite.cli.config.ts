/** Bundles the command line with all its packages, as a package of its own. */
import { defineConfig } from "vite";
import { packageFiles } from "./dev/package-files.ts";

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
    packageFiles({
      "package.json": "clients/cli/package.json",
      "README.md": "clients/cli/README.md",
      LICENSE: "LICENSE",
    }),
  ],
});
