import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import packageJson from "./package.json" with { type: "json" };

const OWN = /[\\/](?:src|lucide-react)[\\/]/;
const FIRST = /[\\/](?:app[\\/]signed-in-app|features[\\/]dashboard[\\/]dashboard-page)\.tsx$/;

type Modules = { getModuleInfo: (id: string) => { importers: string[]; importedIds: string[] } | null };

/** Returns "shared" for a module that the first screen imports, so that it loads no others. */
function nameOfFirst(id: string, modules: Modules): string | null {
  const seen = new Set([id]);
  for (const one of seen) {
    if (FIRST.test(one)) return "shared";
    for (const importer of modules.getModuleInfo(one)?.importers ?? []) {
      if (modules.getModuleInfo(importer)?.importedIds.includes(one)) seen.add(importer);
    }
  }
  return null;
}

/** Omits schemas that a screen does not use: `z` and these functions build them without side effects. */
export const treeshake = {
  manualPureFunctions: [
    "z",
    "component",
    "described",
    "named",
    "keysOf",
    "settingShapes",
    "settingsExcept",
    "choicesOf",
  ],
  propertyReadSideEffects: false as const,
};

export default defineConfig({
  root: "src/web",
  plugins: [react(), tailwindcss()],
  define: { CLIPMILL_VERSION: JSON.stringify(packageJson.version) },
  build: {
    outDir: "../../dist/web",
    emptyOutDir: true,
    // No inlined assets: the content security policy forbids data: scripts and fonts.
    assetsInlineLimit: 0,
    // Without groups, every icon and hook that two screens share becomes a separate file, and a screen loads 60 of
    // them.
    rolldownOptions: {
      treeshake,
      output: {
        codeSplitting: {
          groups: [
            { name: "start", tags: ["$initial"], priority: 3 },
            { name: "sign-in", test: /[\\/]features[\\/]sign-in[\\/]/, priority: 2 },
            { name: nameOfFirst, debugName: "shared", test: OWN, minShareCount: 3, priority: 2 },
            // With its dependencies, it would include those of "shared", and the first screen would load it.
            { name: "screens", test: OWN, minShareCount: 3, priority: 1, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
});
