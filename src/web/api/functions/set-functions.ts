/** Saved sets for the job form. All calls throw CallError. */
import type { AudioSet, CaptionSet } from "#contract/sets.ts";
import { callFunction } from "./call-function.ts";
import type { SavedSet, SetDraft } from "../set-tables.ts";

type DataResponse<Data> = { data: Data };

/** Lists the newest first. */
export async function listCaptionSets(signal?: AbortSignal): Promise<SavedSet[]> {
  const { data } = await callFunction<DataResponse<CaptionSet[]>>("caption-sets", { method: "GET" }, { signal });
  return data.map(fromCaptionSet);
}

/** Lists the newest first. */
export async function listAudioSets(signal?: AbortSignal): Promise<SavedSet[]> {
  const { data } = await callFunction<DataResponse<AudioSet[]>>("audio-sets", { method: "GET" }, { signal });
  return data.map(fromAudioSet);
}

/** Returns the set as stored: items trimmed, empty ones removed. */
export async function addCaptionSet({ name, items }: SetDraft): Promise<SavedSet> {
  const body = { method: "POST", name, captions: items };
  return fromCaptionSet((await callFunction<DataResponse<CaptionSet>>("caption-sets", body)).data);
}

/** Returns the set as stored: items trimmed, empty ones removed. */
export async function addAudioSet({ name, items }: SetDraft): Promise<SavedSet> {
  const body = { method: "POST", name, audio_links: items };
  return fromAudioSet((await callFunction<DataResponse<AudioSet>>("audio-sets", body)).data);
}

function fromCaptionSet({ id, name, captions, created_at }: CaptionSet): SavedSet {
  return { id, name, items: captions, created_at };
}

function fromAudioSet({ id, name, audio_links, created_at }: AudioSet): SavedSet {
  return { id, name, items: audio_links, created_at };
}
