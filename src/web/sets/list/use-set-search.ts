import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import type { SetKind } from "../set-kind.ts";

/** Keeps keystrokes out of the URL. */
const ADDRESS_DELAY_MS = 500;

/** Keeps the search and the viewed set in the URL. */
export function useSetSearch(kind: SetKind) {
  const address: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const addressWords = readText(address.search);
  const [words, setWords] = useState(addressWords);
  const written = useRef(addressWords);

  useEffect(() => {
    const trimmed = words.trim();
    if (trimmed === written.current) return undefined;
    const timer = setTimeout(() => {
      written.current = trimmed;
      const search = (known: Address) => withText(known, "search", trimmed);
      void navigate({ to: kind.path, search, replace: true, resetScroll: false });
    }, ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [words, kind, navigate]);

  useEffect(() => {
    // Skips the hook's own writes; Back or a link updates the search box.
    if (addressWords === written.current) return;
    written.current = addressWords;
    setWords(addressWords);
  }, [addressWords]);

  /** "" closes it. */
  const view = useCallback(
    (id: string) => {
      const search = (known: Address) => withText(known, "view", id);
      void navigate({ to: kind.path, search, replace: id === "", resetScroll: false });
    },
    [kind, navigate],
  );
  return { words, setWords, viewedId: readText(address.view), view };
}

type Address = Record<string, unknown>;

function withText(address: Address, name: string, text: string): Address {
  const { [name]: _before, ...others } = address;
  return text === "" ? others : { ...others, [name]: text };
}

/** Accepts numbers: the router parses 2026 as one. */
function readText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}
