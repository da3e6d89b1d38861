import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import packageJson from "./package.json" with { type: "json" };

export default defineConfig({
  root: "src/web",
  plugins: [react(), tailwindcss()],
  define: { CLIPMILL_VERSION: JSON.stringify(packageJson.version) },
  build: {
    outDir: "../../dist/web",
    emptyOutDir: true,
    // No inlined assets: the content security policy forbids data: scripts and fonts.
    assetsInlineLimit: 0,
  },
});
