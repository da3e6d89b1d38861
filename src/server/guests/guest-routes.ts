import { type Context, Hono } from "hono";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ClipmillError } from "#contract/errors.ts";
import { GUEST_LIMITS } from "#contract/guests/guests.ts";
import type { Download } from "#operations/downloads/link-signer.ts";
import { openOutput, openThumbnail } from "#operations/downloads/open-stored.ts";
import { addGuestComment, approveAsGuest, readGuestView, requireSample } from "#operations/guests/read-guest-view.ts";
import { findGuestLink, type FoundLink } from "#operations/guests/share-job.ts";
import { respondWithDownload } from "../downloads/download-response.ts";
import { clientAddress } from "../requests/client-address.ts";
import { respondWithProblem, handleError } from "../requests/error-response.ts";
import { createGuessLimit } from "../requests/guess-limit.ts";
import { limitBody, readJson } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

/** A cached copy would outlive the link. */
const UNCACHED = "private, no-store";

/**
 * The token in the path is a guest's only right. Files are never redirected to storage, whose addresses would outlive a
 * revocation.
 */
export function guestRoutes(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const guesses = createGuessLimit("links");
  const countComment = createCommentLimit();
  app.onError(handleError(server.log, respondWithProblem));
  app.use(async (c, next) => {
    await next();
    c.header("X-Robots-Tag", "noindex, nofollow");
  });

  const find = (c: Context<ServerEnv>): Promise<FoundLink> => {
    const token = c.req.param("token") ?? "";
    return guesses.check({ address: clientAddress(c), token }, () => findGuestLink(server, token));
  };
  const respondWithView = async (c: Context<ServerEnv>, link: FoundLink) =>
    c.json({ data: await readGuestView(server, link) });
  const respondWithFile = async (c: Context<ServerEnv>, open: (id: string) => Promise<Download>): Promise<Response> => {
    const link = await find(c);
    const id = c.req.param("id") ?? "";
    await requireSample(server, link, id);
    return respondWithDownload(c, await open(id), { isAttachment: false, cacheControl: UNCACHED });
  };

  app.get("/:token/view", async (c) => respondWithView(c, await find(c)));
  app.get("/:token/samples/:id", (c) => respondWithFile(c, (id) => openOutput(server, id)));
  app.get("/:token/thumbnails/:id", (c) => respondWithFile(c, (id) => openThumbnail(server, id)));
  app.post("/:token/comments", limitBody(1), async (c) => {
    const link = await find(c);
    await countComment({ address: clientAddress(c), linkId: link.id });
    await addGuestComment(server, link, await readJson(c));
    return respondWithView(c, link);
  });
  app.post("/:token/approve", limitBody(1), async (c) => {
    const link = await find(c);
    await countComment({ address: clientAddress(c), linkId: link.id });
    await approveAsGuest(server, link, await readJson(c));
    return respondWithView(c, link);
  });
  // "/:token/*" would also match the page.
  app.all("/:token/:rest{.+}", () => {
    throw new ClipmillError("not_found", "There is nothing at this address.");
  });
  return app;
}

const WINDOW_SECONDS = 60;

/** Counts in memory, per process. The result throws ClipmillError "too_many". */
function createCommentLimit(): (comment: { address: string; linkId: string }) => Promise<void> {
  const most = GUEST_LIMITS.commentsPerMinute;
  const limiter = new RateLimiterMemory({ points: most, duration: WINDOW_SECONDS });
  return async ({ address, linkId }) => {
    try {
      await limiter.consume(`${address} ${linkId}`);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw new ClipmillError("too_many", `At most ${most} comments can be sent in a minute. Try again in a minute.`, {
        retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1_000)),
      });
    }
  };
}
