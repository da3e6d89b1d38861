import type { EmbeddedPages, EmbeddedPagesResponse } from "#contract/calls.ts";
import { callFunction } from "./call-function.ts";

/** Their key in the query cache. */
export const embeddedPagesKey = ["embedded-pages"] as const;

/** The addresses of the pages that two screens show. Throws CallError. */
export async function readEmbeddedPages(): Promise<EmbeddedPages> {
  const { data } = await callFunction<EmbeddedPagesResponse>("embedded-pages", { method: "GET" });
  return data;
}
