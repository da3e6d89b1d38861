import { SetsPage } from "../../sets/sets-page.tsx";
import { captionSetKind } from "./caption-set-kind.ts";

const nameCaption = (caption: string): string => caption;

export function CaptionSetsPage() {
  return <SetsPage kind={captionSetKind} nameItem={nameCaption} />;
}
