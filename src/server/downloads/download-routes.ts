import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { ClipmillError } from "#contract/errors.ts";
import type { Download } from "#operations/downloads/link-signer.ts";
import { openManifest } from "#operations/downloads/manifest/open-manifest.ts";
import { openJobZip } from "#operations/downloads/open-job-zip.ts";
import { openSource, openTranscribed } from "#operations/downloads/open-source.ts";
import {
  openCover,
  openSubtitles,
  openLibraryFile,
  openLibraryThumbnail,
  openOutput,
  openThumbnail,
} from "#operations/downloads/open-stored.ts";
import type { FileAddresses } from "#storage/storage.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { respondWithDownload, attachment } from "./download-response.ts";

/** Signed links are valid for a day; their bytes do not change. */
const PRIVATE_CACHE = "private, max-age=86400";
/** A retry of the job may change the zip. */
const NO_CACHE = "private, no-cache";

const ID = /^([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|[\w-]{22})$/;

export function downloadRoutes(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.use(requireSignature(server));
  const respondWithFile = async (c: Context<ServerEnv>, download: Download, isAttachment: boolean): Promise<Response> =>
    (await redirectDownload(c, server.fileAddresses, download, { isAttachment })) ??
    respondWithDownload(c, download, { isAttachment, cacheControl: PRIVATE_CACHE });

  app.get("/jobs/:id", async (c) => {
    const download = await openJobZip(server, c.req.param("id"));
    return respondWithDownload(c, download, { isAttachment: true, cacheControl: NO_CACHE });
  });
  app.get("/manifests/:id", async (c) => {
    const format = c.req.query("format") === "csv" ? "csv" : "json";
    const download = await openManifest(server, c.req.param("id"), format);
    return respondWithDownload(c, download, { isAttachment: true, cacheControl: NO_CACHE });
  });
  // The signature covers only the path, so a separate path keeps the other files inaccessible.
  app.get("/approved/:id", async (c) => {
    const download = await openJobZip(server, c.req.param("id"), "approved");
    return respondWithDownload(c, download, { isAttachment: true, cacheControl: NO_CACHE });
  });
  app.get("/outputs/:id", async (c) => {
    const isAttachment = c.req.query("download") === "1";
    const download = await openOutput(server, c.req.param("id"));
    return respondWithFile(c, download, isAttachment);
  });
  app.get("/sources/:id", async (c) => respondWithFile(c, await openSource(server, c.req.param("id")), false));
  app.get("/transcripts/:id", async (c) => respondWithFile(c, await openTranscribed(server, c.req.param("id")), false));
  app.get("/thumbnails/:id", async (c) => {
    const download = await openThumbnail(server, c.req.param("id"));
    return respondWithFile(c, download, false);
  });
  app.get("/covers/:id", async (c) => {
    const isAttachment = c.req.query("download") === "1";
    return respondWithFile(c, await openCover(server, c.req.param("id")), isAttachment);
  });
  app.get("/subtitles/:id", async (c) => {
    const format = c.req.query("format") === "vtt" ? "vtt" : "srt";
    const download = await openSubtitles(server, c.req.param("id"), format);
    return respondWithDownload(c, download, { isAttachment: true, cacheControl: NO_CACHE });
  });
  app.get("/library/:id", async (c) => respondWithFile(c, await openLibraryFile(server, c.req.param("id")), false));
  app.get("/library-thumbnails/:id", async (c) => {
    return respondWithFile(c, await openLibraryThumbnail(server, c.req.param("id")), false);
  });
  return app;
}

function requireSignature(server: ServerContext) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const { expires, signature } = c.req.query();
    const isValid = server.links.isValid(c.req.path, expires, signature);
    // Paths are signed with a row's id: an invalid id means a forged signature.
    if (!isValid || !ID.test(c.req.path.split("/").at(-1) ?? "")) {
      throw new ClipmillError("forbidden", "This link is no longer valid. Open the job again to get a new one.");
    }
    await next();
  });
}

const MAX_VALID_SECONDS = 300;

/**
 * Redirects to the file's address in storage, valid for at most 300 s and no longer than the link. Returns null if the
 * download must be streamed: no address, not a single file, not a GET, or the link's last second.
 */
async function redirectDownload(
  c: Context<ServerEnv>,
  addresses: FileAddresses | null,
  { storageKey, fileName, type }: Download,
  { isAttachment }: { isAttachment: boolean },
): Promise<Response | null> {
  const linkSeconds = Math.floor(Number(c.req.query("expires")) - Date.now() / 1000);
  // The address's signature includes the method.
  if (addresses === null || storageKey === null || c.req.method !== "GET" || linkSeconds < 1) return null;
  const address = await addresses.of(storageKey, {
    type,
    disposition: isAttachment ? attachment(fileName) : null,
    seconds: Math.min(linkSeconds, MAX_VALID_SECONDS),
  });
  c.header("Cache-Control", "private, no-store");
  return c.redirect(address, 302);
}
