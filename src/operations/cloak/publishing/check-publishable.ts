import { setImmediate as letOthersRun } from "node:timers/promises";
import { ClipmillError } from "#contract/errors.ts";
import {
  parseRouteLine,
  publicAddress,
  PUBLISH_LIMITS,
  type PublishedRoute,
  slugKey,
  writeRouteLines,
} from "#contract/cloak/published-config.ts";
import { placeOf } from "../routes/place-of.ts";

/** Routes checked before yielding to the built-in redirector's visitors. */
const ROUTES_PER_BATCH = 250;

/** Throws a ClipmillError that names the route. */
export async function checkPublishable(routes: PublishedRoute[]): Promise<void> {
  if (routes.length > PUBLISH_LIMITS.routes) {
    const most = PUBLISH_LIMITS.routes.toLocaleString("en");
    throw new ClipmillError("too_large", `At most ${most} active routes can be published; there are ${routes.length}.`);
  }
  for await (const route of inBatches(routes)) checkAlone(route);
  const byPlace = await groupByPlace(routes);
  const loop = await findLoop(routes, byPlace);
  if (loop) throw new ClipmillError("conflict", describeLoop(loop));
}

async function* inBatches(routes: PublishedRoute[]): AsyncGenerator<PublishedRoute> {
  for (let from = 0; from < routes.length; from += ROUTES_PER_BATCH) {
    yield* routes.slice(from, from + ROUTES_PER_BATCH);
    await letOthersRun();
  }
}

/** Rules may have become stricter since a route was saved. */
function checkAlone(route: PublishedRoute): void {
  try {
    parseRouteLine(writeRouteLines([route]));
  } catch (cause) {
    const sentence = `The route ${publicAddress(route)} is no longer valid. Edit it and save it again.`;
    throw new ClipmillError("invalid", sentence, { cause });
  }
}

type Places = Map<string, PublishedRoute>;

async function groupByPlace(routes: PublishedRoute[]): Promise<Places> {
  const places: Places = new Map();
  for await (const route of inBatches(routes)) {
    const place = `${route.domain}/${slugKey(route.slug)}`;
    const other = places.get(place);
    if (other) {
      const both = `${publicAddress(other)} and ${publicAddress(route)}`;
      throw new ClipmillError("conflict", `The routes ${both} have the same public URL. Remove one of them.`);
    }
    places.set(place, route);
  }
  return places;
}

/** Visits each route once. */
async function findLoop(routes: PublishedRoute[], places: Places): Promise<PublishedRoute[] | null> {
  const harmless = new Set<PublishedRoute>();
  let followed = 0;
  for await (const start of inBatches(routes)) {
    if (harmless.has(start)) continue;
    const trail = [start];
    const open = new Map([[start, leadsTo(start, places)]]);
    for (let current = trail.at(-1); current; current = trail.at(-1)) {
      const next = open.get(current)!.pop();
      if (!next) {
        harmless.add(current);
        open.delete(current);
        trail.pop();
      } else if (open.has(next)) {
        return trail.slice(trail.indexOf(next));
      } else if (!harmless.has(next)) {
        followed += 1;
        if (followed % ROUTES_PER_BATCH === 0) await letOthersRun();
        trail.push(next);
        open.set(next, leadsTo(next, places));
      }
    }
  }
  return null;
}

function leadsTo(route: PublishedRoute, places: Places): PublishedRoute[] {
  return [route.primary, route.fallback]
    .map((url) => (url === null ? undefined : places.get(placeOf(url) ?? "")))
    .filter((next) => next !== undefined);
}

function describeLoop(loop: PublishedRoute[]): string {
  const addresses = [...loop, loop[0]!].map(publicAddress);
  const way = loop.length > 1 ? ` (${addresses.slice(0, 5).join(", then ")}${addresses.length > 5 ? ", …" : ""})` : "";
  return `The route ${addresses[0]} redirects back to itself${way}. Change its Primary URL or Fallback URL.`;
}
