import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import type { SetKind } from "../set-kind.ts";

/** The address follows the words this much later, so that not every letter becomes an entry of it. */
const ADDRESS_DELAY_MS = 500;

/** What the set screens keep in the address: the words searched for, and the set that is looked at. */
export function useSetSearch(kind: SetKind) {
  const address: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const addressWords = readText(address.search);
  const [words, setWords] = useState(addressWords);
  const written = useRef(addressWords);

  useEffect(() => {
    const wanted = words.trim();
    if (wanted === written.current) return undefined;
    const timer = setTimeout(() => {
      written.current = wanted;
      const search = (known: Address) => withText(known, "search", wanted);
      void navigate({ to: kind.path, search, replace: true, resetScroll: false });
    }, ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [words, kind, navigate]);

  useEffect(() => {
    // What was typed comes back by the address; anything else (back, a link) is new to the box.
    if (addressWords === written.current) return;
    written.current = addressWords;
    setWords(addressWords);
  }, [addressWords]);

  /** Opens a set; "" closes it. */
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

/** The router reads a search for 2026 as a number. */
function readText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}
