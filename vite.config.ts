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
    // Everything is served as a file of our own: the content security policy allows no data: scripts or fonts.
    assetsInlineLimit: 0,
  },
});
