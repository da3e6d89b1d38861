/** Fails if the gzipped script and style of a first screen exceed DESIGN's limits. */
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";

/** The modules that each screen needs to render; the rest loads later or on demand. */
const SCREENS = [
  { name: "sign-in", maxKilobytes: 130, modules: ["app/main.tsx", "features/sign-in/sign-in-page.tsx"] },
  {
    name: "Dashboard",
    maxKilobytes: 190,
    modules: ["app/main.tsx", "app/signed-in-app.tsx", "features/dashboard/dashboard-page.tsx"],
  },
];

const root = path.resolve(import.meta.dirname, "../..");
const built = await build({
  root: path.join(root, "src/web"),
  configFile: path.join(root, "vite.config.ts"),
  logLevel: "error",
  build: { write: false },
});
const output = (Array.isArray(built) ? built : [built as Rolldown.RolldownOutput]).flatMap((one) => one.output);
const chunks = new Map(output.filter((file) => file.type === "chunk").map((chunk) => [chunk.fileName, chunk]));
const styles = output.filter((file) => file.type === "asset" && file.fileName.endsWith(".css"));

for (const { name, maxKilobytes, modules } of SCREENS) {
  const files = new Set(modules.flatMap((module) => withImports(chunkOf(module))));
  const script = [...files].reduce((sum, file) => sum + gzipped(chunks.get(file)!.code), 0);
  const style = styles.reduce((sum, file) => sum + (file.type === "asset" ? gzipped(file.source) : 0), 0);
  const kilobytes = (script + style) / 1_000;
  console.log(`${name}: ${kilobytes.toFixed(1)} kB of script and style, gzipped; at most ${maxKilobytes}`);
  if (kilobytes > maxKilobytes) process.exitCode = 1;
}

function chunkOf(module: string): string {
  const end = path.join("src/web", module);
  const found = [...chunks.values()].find((chunk) => chunk.moduleIds.some((id) => id.endsWith(end)));
  if (!found) throw new Error(`No chunk of the web app contains ${module}.`);
  return found.fileName;
}

/** Returns a chunk and its static imports, recursively. */
function withImports(fileName: string, seen = new Set<string>()): string[] {
  if (seen.has(fileName)) return [];
  seen.add(fileName);
  return [fileName, ...(chunks.get(fileName)?.imports ?? []).flatMap((imported) => withImports(imported, seen))];
}

function gzipped(content: string | Uint8Array): number {
  return gzipSync(content).length;
}
