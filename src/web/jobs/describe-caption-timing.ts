import type { StreamSettings } from "#contract/job-settings/job-settings.ts";

/** Returns, for example, "2 to 5 s, fading"; null for the entire video. */
export function describeCaptionTiming(settings: StreamSettings<"timing">): string | null {
  const { caption_start_seconds: from, caption_end_seconds: to, caption_fade: fade } = settings;
  if (from === 0 && to === null) return null;
  const time = to === null ? `From ${from} s` : from === 0 ? `First ${to} s` : `${from} to ${to} s`;
  return fade > 0 ? `${time}, fading` : time;
}
