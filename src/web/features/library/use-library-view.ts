import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import type { LibraryKind } from "#contract/calls.ts";
import { paths } from "../../app/routing/paths.ts";
import { type LibraryView, SORTS } from "./shown-files.ts";

/** Keeps keystrokes out of the URL. */
const ADDRESS_DELAY_MS = 500;

const KINDS: readonly LibraryKind[] = ["video", "audio", "image"];

/** Keeps search, kind and order in the URL. The search applies immediately. */
export function useLibraryView(): [LibraryView, (changes: Partial<LibraryView>) => void] {
  const address: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const addressSearch = readText(address.search);
  const [search, setSearch] = useState(addressSearch);
  const written = useRef(addressSearch);
  const kind = KINDS.find((name) => name === address.kind) ?? null;
  const sort = SORTS.find((name) => name === address.sort) ?? "newest";

  useEffect(() => {
    const trimmed = search.trim();
    if (trimmed === written.current) return undefined;
    const timer = setTimeout(() => {
      written.current = trimmed;
      void navigate({ to: paths.library, search: toAddress({ search: trimmed, kind, sort }), replace: true });
    }, ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [search, kind, sort, navigate]);

  useEffect(() => {
    // Skips the hook's own writes; Back or a link updates the search box.
    if (addressSearch === written.current) return;
    written.current = addressSearch;
    setSearch(addressSearch);
  }, [addressSearch]);

  const view = useMemo(() => ({ search, kind, sort }), [search, kind, sort]);
  function changeView(changes: Partial<LibraryView>) {
    const next = { ...view, ...changes };
    setSearch(next.search);
    if (next.kind === kind && next.sort === sort) return;
    written.current = next.search.trim();
    void navigate({ to: paths.library, search: toAddress({ ...next, search: next.search.trim() }) });
  }
  return [view, changeView];
}

function toAddress({ search, kind, sort }: LibraryView): Record<string, string> {
  return { ...(search !== "" && { search }), ...(kind && { kind }), ...(sort !== "newest" && { sort }) };
}

/** Accepts numbers: the router parses 2026 as one. */
function readText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}
