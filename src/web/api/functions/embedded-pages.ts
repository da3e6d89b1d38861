import type { EmbeddedPages, EmbeddedPagesResponse } from "#contract/calls.ts";
import { callFunction } from "./call-function.ts";

export const embeddedPagesKey = ["embedded-pages"] as const;

/** Throws CallError. */
export async function readEmbeddedPages(): Promise<EmbeddedPages> {
  const { data } = await callFunction<EmbeddedPagesResponse>("embedded-pages", { method: "GET" });
  return data;
}
