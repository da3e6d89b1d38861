/** Bundles the programs for Node. Packages stay in node_modules. */
import { defineConfig } from "vite";

export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    target: "node26",
    sourcemap: true,
    rolldownOptions: {
      // With those of `entryBeside`.
      input: [
        "src/cli.ts",
        "src/media/captions/drawing/draw-text-process.ts",
        "src/media/faces/faces-process.ts",
        "src/media/speech/speech-process.ts",
        "src/operations/thread/pure-thread.ts",
      ],
      external: /^#bin\//,
      output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" },
    },
  },
});
