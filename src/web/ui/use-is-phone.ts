import { useSyncExternalStore } from "react";

const phone = window.matchMedia("(max-width: 760px)");

function subscribe(listener: () => void): () => void {
  phone.addEventListener("change", listener);
  return () => phone.removeEventListener("change", listener);
}

export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => phone.matches);
}
