import { globSync } from "node:fs";
import vm from "node:vm";
import { build, type Rolldown } from "vite";
import { expect, test } from "vitest";

const ENTRY = "virtual:contract";
const IMPORT_ALL = 'globalThis.modules = import.meta.glob(["/**/*.ts", "!/**/*.test.ts"], { eager: true });';

/** Browser globals; none of Node's. */
const BROWSER = { URL, URLSearchParams, TextEncoder, TextDecoder, Blob, File, console };

test("every contract file bundles for a browser and runs without Node", async () => {
  const root = import.meta.dirname;
  const built = (await build({
    root,
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "contract",
        resolveId: (id) => (id === ENTRY ? id : null),
        load: (id) => (id === ENTRY ? IMPORT_ALL : null),
      },
    ],
    build: { write: false, minify: false, rolldownOptions: { input: ENTRY, output: { format: "iife" } } },
  })) as Rolldown.RolldownOutput;
  const { code, moduleIds } = built.output[0];
  // Vite replaces Node modules with this stub.
  expect(moduleIds.filter((id) => id.includes("browser-external"))).toEqual([]);
  const context = vm.createContext({ ...BROWSER });
  vm.runInContext(code, context);
  const files = globSync("**/*.ts", { cwd: root, exclude: ["**/*.test.ts"] });
  expect(Object.keys(context["modules"] as object).toSorted()).toEqual(files.map((file) => `/${file}`).toSorted());
});
