import type { SiteVideo } from "#contract/sources/hosts/video-sites.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import { describeSiteVideo } from "#integrations/yt-dlp/site-video.ts";
import { downloaderEnvironment } from "#media/launch/isolation.ts";
import { type CheckedFile, type Checker, findSizeProblem } from "./describe-file.ts";
import type { CheckRun } from "./link-checks.ts";

const STALL_SECONDS = 8;
const MAX_THUMBNAIL_BYTES = 60_000;

/** Does not download the video. Throws ClipmillError for a link without a usable video, and "cancelled". */
export async function checkSiteVideo(
  { context, downloaders }: Pick<Checker, "context" | "downloaders">,
  video: SiteVideo,
  { signal, enterHost }: CheckRun,
): Promise<CheckedFile> {
  using places = new DisposableStack();
  places.use(await enterHost("metadata"));
  places.defer(await downloaders.take(1, signal));
  const { ytDlpPath } = context.hosts;
  const facts = await describeSiteVideo(video, { ytDlpPath, environment: downloaderEnvironment(), signal });
  const { name, sizeBytes, durationSeconds, size, hasSound, thumbnailUrls } = facts;
  const described = size && {
    ...{ durationSeconds, ...size, hasSound, soundProblem: null },
    thumbnail: await fetchThumbnail(thumbnailUrls, signal),
  };
  return { name, sizeBytes, video: described, problem: findSizeProblem(sizeBytes) };
}

/** From public addresses only. */
async function fetchThumbnail(urls: readonly string[], signal: AbortSignal): Promise<Buffer | null> {
  const get = createSourceGet({ signal, stallSeconds: STALL_SECONDS });
  const jpeg = urls
    .map((url) => URL.parse(url))
    .find((url) => url?.protocol === "https:" && /\.jpe?g$/i.test(url.pathname));
  if (!jpeg) return null;
  try {
    const response = await get(jpeg, { service: jpeg.hostname, baseUrl: null, allowedHosts: "all" });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_THUMBNAIL_BYTES) break;
    }
    response.body.destroy();
    const picture = Buffer.concat(chunks);
    const isJpeg = response.status === 200 && picture.toString("hex", 0, 3) === "ffd8ff";
    return isJpeg && bytes <= MAX_THUMBNAIL_BYTES ? picture : null;
  } catch {
    signal.throwIfAborted();
    // The picture is optional.
    return null;
  }
}
