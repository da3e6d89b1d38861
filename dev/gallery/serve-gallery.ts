import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Plugin } from "vite";

const ADDRESS = "/gallery";

/** Uses the app's own HTML page. */
export function serveGallery(): Plugin {
  return {
    name: "gallery",
    configureServer(server) {
      server.middlewares.use(ADDRESS, (_request, response, next) => {
        readPage(path.join(server.config.root, "index.html"))
          .then((page) => server.transformIndexHtml(ADDRESS, page))
          .then((page) => response.setHeader("content-type", "text/html").end(page), next);
      });
    },
  };
}

async function readPage(appPage: string): Promise<string> {
  const entry = path.join(import.meta.dirname, "main.tsx");
  return (await readFile(appPage, "utf8")).replace("/app/main.tsx", `/@fs${entry}`);
}
