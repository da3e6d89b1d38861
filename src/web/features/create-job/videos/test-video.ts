import type { PreflightVideo } from "#contract/sources/preflight.ts";

export function readyVideo(link: string, changes: Partial<PreflightVideo> = {}): PreflightVideo {
  return {
    link,
    state: "ready",
    ok: true,
    name: `${link}.mp4`,
    duration_seconds: 24,
    width: 1_080,
    height: 1_920,
    has_sound: true,
    sound_problem: null,
    size_bytes: 12_000_000,
    thumbnail_url: null,
    problem: null,
    ...changes,
  };
}

export function pendingVideo(link: string): PreflightVideo {
  const unknown = { name: null, duration_seconds: null, width: null, height: null, has_sound: null, size_bytes: null };
  return readyVideo(link, { ...unknown, state: "pending", ok: false });
}
