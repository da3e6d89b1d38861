import type { SyncedPlayer } from "../../../jobs/player/synced-player.ts";
import { useScreenKeys } from "../../../ui/use-screen-keys.ts";
import type { TranscriptEditor } from "../draft/transcript-editor.ts";
import type { Place } from "../model/commands.ts";
import { stepLine, stepWord } from "../model/word-at.ts";

const SKIP_SECONDS = 2;

type Edits = Record<
  "onUndo" | "onRedo" | "onEdit" | "onSplit" | "onJoin" | "onHide" | "onDelete" | "onFind",
  () => void
>;

export function useEditorKeys({
  editor,
  player,
  edits,
  select,
  seekTo,
  onKeys,
}: {
  editor: TranscriptEditor;
  player: SyncedPlayer;
  edits: Edits;
  select: (place: Place) => void;
  seekTo: (place: Place) => void;
  onKeys: () => void;
}): void {
  const step = (by: typeof stepWord, way: 1 | -1) => () => {
    const { editing, place } = editor.read();
    select(by(editing.lines, place, way));
  };
  const skip = (seconds: number) => () => player.seek(Math.max(0, player.read().time + seconds));
  useScreenKeys({
    " ": player.toggle,
    k: player.toggle,
    j: skip(-SKIP_SECONDS),
    l: skip(SKIP_SECONDS),
    p() {
      seekTo(editor.read().place);
      player.play();
    },
    arrowleft: step(stepWord, -1),
    arrowright: step(stepWord, 1),
    arrowup: step(stepLine, -1),
    arrowdown: step(stepLine, 1),
    enter: edits.onEdit,
    f2: edits.onEdit,
    h: edits.onHide,
    delete: edits.onDelete,
    s: edits.onSplit,
    m: edits.onJoin,
    f: edits.onFind,
    "ctrl+z": edits.onUndo,
    "ctrl+shift+z": edits.onRedo,
    "ctrl+y": edits.onRedo,
    "?": onKeys,
  });
}
