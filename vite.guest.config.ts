/** Builds the page of guest links separately, so that guests load none of the app's code. */
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { omitUnusedContract } from "./vite.config.ts";

export default defineConfig({
  root: "src/web",
  plugins: [react(), tailwindcss(), omitUnusedContract],
  build: {
    outDir: "../../dist/web",
    // The app was built there before.
    emptyOutDir: false,
    copyPublicDir: false,
    assetsInlineLimit: 0,
    rolldownOptions: { input: "src/web/guest.html" },
  },
});
