import { linksIn } from "../sources/links-in-text.ts";
import { withLinksOfRows } from "./rows.ts";

/**
 * Reads the links of a request, whose form is unchecked, as those typed into the form. A row keeps a text with several
 * links, because it is one video.
 */
export function withReadLinks(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const { rows } = body;
  const { slots } = body;
  return withLinksOfRows({
    ...withTracks(body),
    ...("input_videos" in body && { input_videos: readList(body["input_videos"]) }),
    ...(Array.isArray(rows) && { rows: rows.map(readRow) }),
    ...(Array.isArray(slots) && { slots: slots.map(readSlot) }),
  });
}

function readSlot(slot: unknown): unknown {
  if (!isRecord(slot) || !Array.isArray(slot.clips)) return slot;
  return { ...slot, clips: slot.clips.map(withReadLink) };
}

/** A text with several links stays as it is. */
function withReadLink(value: unknown): unknown {
  const links = isRecord(value) && typeof value.link === "string" ? linksIn(value.link) : [];
  return links.length === 1 ? { ...(value as object), link: links[0] } : value;
}

function readRow(row: unknown): unknown {
  if (!isRecord(row)) return row;
  const { settings } = row;
  return {
    ...(withReadLink(row) as object),
    ...(isRecord(settings) && { settings: withTracks(settings) }),
  };
}

function withTracks(settings: Record<string, unknown>): Record<string, unknown> {
  const { custom_audio_links: links } = settings;
  return links === undefined ? settings : { ...settings, custom_audio_links: readList(links) };
}

function readList(value: unknown): unknown {
  return Array.isArray(value) ? value.flatMap((item) => (typeof item === "string" ? linksIn(item) : [item])) : value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
