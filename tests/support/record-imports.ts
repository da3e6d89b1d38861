/** Returns NODE_OPTIONS for a program that appends each module specifier that it resolves to `file`, one a line. */
export function recordImports(file: string): string {
  const source = `import { appendFileSync } from "node:fs";
    import { registerHooks } from "node:module";
    registerHooks({ resolve(specifier, context, next) {
      appendFileSync(${JSON.stringify(file)}, specifier + "\\n");
      return next(specifier, context);
    } });`;
  return `--import=data:text/javascript,${encodeURIComponent(source)}`;
}
