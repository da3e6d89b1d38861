import type { Page } from "@playwright/test";
import type { PreflightVideo } from "#contract/sources/preflight.ts";

const PICTURE =
  "data:image/jpeg;base64,/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z";

/** Overrides of a usable video of 24 s; null for none. */
export type Overrides = (link: string, times: number) => Partial<PreflightVideo> | null;

/** Returns a live array of each call's links. */
export async function fulfillPreflight(page: Page, overridesOf: Overrides = () => null): Promise<string[][]> {
  const calls: string[][] = [];
  const times = new Map<string, number>();
  await page.route("**/functions/v1/preflight", async (route) => {
    const { links } = route.request().postDataJSON() as { links: string[] };
    calls.push(links);
    const videos: PreflightVideo[] = [];
    for (const link of links) {
      times.set(link, (times.get(link) ?? 0) + 1);
      videos.push({ ...usable(link), ...overridesOf(link, times.get(link)!) });
    }
    await route.fulfill({ json: { videos } });
  });
  return calls;
}

export const PENDING: Partial<PreflightVideo> = {
  state: "pending",
  ok: false,
  name: null,
  duration_seconds: null,
  width: null,
  height: null,
  has_sound: null,
  size_bytes: null,
  thumbnail_url: null,
};

export function problem(message: string): Partial<PreflightVideo> {
  return { ...PENDING, state: "problem", problem: { code: "bad_link", message } };
}

function usable(link: string): PreflightVideo {
  const id = /([\w.-]+)(?:\/view)?$/.exec(link)?.[1] ?? "clip";
  return {
    link,
    state: "ready",
    ok: true,
    name: id.includes(".") ? id : `${id}.mp4`,
    duration_seconds: 24,
    width: 1_080,
    height: 1_920,
    has_sound: true,
    sound_problem: null,
    size_bytes: 12_400_000,
    thumbnail_url: PICTURE,
    problem: null,
  };
}
