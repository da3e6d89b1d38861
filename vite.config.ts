import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
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

/** Outside of functions, which loading a module does not run. */
function hasCall(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  const type = "type" in node ? String(node.type) : "";
  if (type.includes("Function")) return false;
  return type === "CallExpression" || type === "NewExpression" || Object.values(node).some(hasCall);
}

/** Modules of contract/ have no side effects: bundles omit the constants that they do not use, such as schemas. */
export const omitUnusedContract: Plugin = {
  name: "omit-unused-contract",
  enforce: "post",
  apply: "build",
  transform(code, id) {
    if (!/[\\/]src[\\/]contract[\\/]/.test(id)) return null;
    const values = this.parse(code).body.flatMap((statement) => {
      const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
      const constants = declaration?.type === "VariableDeclaration" ? declaration.declarations : [];
      return constants.flatMap(({ init }) => (init && hasCall(init) ? [init] : []));
    });
    return values.reduceRight(
      (text, { start, end }) =>
        `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
      code,
    );
  },
};

export default defineConfig({
  root: "src/web",
  plugins: [react(), tailwindcss(), omitUnusedContract],
  define: { CLIPMILL_VERSION: JSON.stringify(packageJson.version) },
  build: {
    outDir: "../../dist/web",
    emptyOutDir: true,
    // No inlined assets: the content security policy forbids data: scripts and fonts.
    assetsInlineLimit: 0,
    // Without groups, every icon and hook that two screens share becomes a separate file, and a screen loads 60 of
    // them.
    rolldownOptions: {
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
