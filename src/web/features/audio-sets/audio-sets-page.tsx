import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { listLibrary } from "../../api/jobs.ts";
import { SetsPage } from "../../sets/sets-page.tsx";
import { audioSetKind } from "./audio-set-kind.ts";
import { nameTrack } from "./name-track.ts";

export function AudioSetsPage() {
  const { data: library } = useQuery({ queryKey: ["library"], queryFn: listLibrary });
  const nameItem = useCallback((link: string) => nameTrack(link, library?.data ?? []), [library]);
  return <SetsPage kind={audioSetKind} nameItem={nameItem} />;
}
