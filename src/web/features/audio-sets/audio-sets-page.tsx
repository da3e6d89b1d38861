import { useCallback } from "react";
import { SetsPage } from "../../sets/sets-page.tsx";
import { ListenLink, ListenButton } from "../../sources/listen-button.tsx";
import { libraryIdOf, nameSource } from "../../sources/name-source.ts";
import { useLibrary } from "../../sources/use-library.ts";
import { audioSetKind } from "./audio-set-kind.ts";

export function AudioSetsPage() {
  const library = useLibrary();
  const nameItem = useCallback((link: string) => nameSource(link, library), [library]);
  const itemTools = useCallback(
    (link: string) => {
      const id = libraryIdOf(link);
      const file = library?.find((one) => one.id === id);
      return file ? <ListenButton file={file} /> : <ListenLink link={link} name={nameSource(link, library)} />;
    },
    [library],
  );
  return <SetsPage kind={audioSetKind} nameItem={nameItem} itemTools={itemTools} />;
}
