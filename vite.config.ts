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
    // Without groups, every icon and hook that two screens share becomes a separate file, and a screen loads 60 of them.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "start", tags: ["$initial"], priority: 3 },
            { name: "sign-in", test: /[\\/]features[\\/]sign-in[\\/]/, priority: 2 },
            { name: "shared", test: /[\\/](?:src|lucide-react)[\\/]/, minShareCount: 5, priority: 1 },
          ],
        },
      },
    },
  },
});
