import type { EmbeddedPages, EmbeddedPagesResponse } from "#contract/calls.ts";
import { callFunction } from "./call-function.ts";

/** The query cache key. */
export const embeddedPagesKey = ["embedded-pages"] as const;

/** Returns the URLs of the two embedded pages. Throws CallError. */
export async function readEmbeddedPages(): Promise<EmbeddedPages> {
  const { data } = await callFunction<EmbeddedPagesResponse>("embedded-pages", { method: "GET" });
  return data;
}
