import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useRef, useState } from "react";
import { fillerTest } from "#contract/transcripts/fillers.ts";
import type { TranscriptFormat, WholeTranscript } from "#contract/transcripts/transcripts.ts";
import { exportTranscript } from "../../../api/functions/transcripts.ts";
import { sectionLink } from "../../../app/routing/settings-sections.ts";
import { useSyncedPlayer } from "../../../jobs/player/synced-player.ts";
import { saveFile } from "../../../ui/buttons/save-file.ts";
import { KeysDialog } from "../../../ui/dialogs/keys-dialog.tsx";
import { Pane, RailPane } from "../../../ui/dialogs/pane.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { usePageTitle } from "../../../ui/text/page-title.ts";
import { showToast } from "../../../ui/toasts/toast-list.ts";
import type { ListScroller } from "../../../ui/page/window-list.tsx";
import { hideWords, joinLines, type Place, retypeWord, splitLine, toggleWord } from "../model/commands.ts";
import type { Lines } from "../model/patches.ts";
import { stepWord } from "../model/word-at.ts";
import { ChangesBlock } from "./changes-block.tsx";
import { EDITOR_KEYS } from "./editor-keys.ts";
import { EditorHead } from "./editor-head.tsx";
import { EditorNotes } from "./editor-notes.tsx";
import { EditToolbar } from "./edit-toolbar.tsx";
import { FindBar } from "./find-bar.tsx";
import { LineList } from "./line-list.tsx";
import type { LineActs } from "./line-row.tsx";
import { Player } from "./player.tsx";
import { useEditorKeys } from "./use-editor-keys.ts";
import { usePlayingWord } from "./use-playing-word.ts";
import { requireSaved, useTranscriptEditor } from "./use-transcript-editor.ts";

/** Seeks into the first frame of a word. */
const INTO_WORD_SECONDS = 0.021;

export function TranscriptView({ transcript }: { transcript: WholeTranscript }) {
  const { editor, view } = useTranscriptEditor(transcript);
  const { lines } = view.editing;
  const navigate = useNavigate();
  const player = useSyncedPlayer();
  const video = useRef<HTMLVideoElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const scroller = useRef<ListScroller>(null);
  const [isEditing, setIsEditing] = useState(false);
  const [hasKeys, setHasKeys] = useState(false);
  const [isFinding, setIsFinding] = useState(false);
  const showLine = useCallback((line: number) => scroller.current?.show(line, "nearest"), []);
  const followLine = useCallback((line: number) => scroller.current?.show(line, "center"), []);
  usePageTitle(transcript.name);
  usePlayingWord({ player, video, editor, list, onLine: followLine });

  const seekTo = useCallback(
    ({ line, word }: Place) => {
      const start = editor.read().editing.lines[line]?.words[word]?.startSeconds;
      if (start !== undefined) player.seek(start + INTO_WORD_SECONDS);
    },
    [editor, player],
  );
  /** Also scrolls to the word; it takes the focus when it is drawn. */
  const select = useCallback(
    (place: Place) => {
      editor.select(place);
      showLine(editor.read().place.line);
    },
    [editor, showLine],
  );
  const acts: LineActs = useMemo(() => {
    const placeOf = (lineId: string, word: number) => ({
      line: editor.read().items.findIndex(({ id }) => id === lineId),
      word,
    });
    return {
      onChoose(lineId, word) {
        setIsEditing(false);
        editor.select(placeOf(lineId, word));
        seekTo(placeOf(lineId, word));
      },
      onEdit(lineId, word) {
        player.pause();
        editor.select(placeOf(lineId, word));
        setIsEditing(true);
      },
      onCommit(typed, next) {
        editor.change((all, place) => retypeWord(all, place, typed));
        const { editing, place } = editor.read();
        if (next !== 0) select(stepWord(editing.lines, place, next));
        setIsEditing(next !== 0);
      },
      onCancel: () => setIsEditing(false),
    };
  }, [editor, player, seekTo, select]);

  const change = (command: Parameters<typeof editor.change>[0]) => {
    if (editor.change(command)) showLine(editor.read().place.line);
  };
  const travel = (go: () => void) => () => {
    go();
    showLine(editor.read().place.line);
  };
  const edits = {
    onUndo: travel(editor.undo),
    onRedo: travel(editor.redo),
    onEdit() {
      player.pause();
      setIsEditing(true);
    },
    onSplit: () => change(splitLine),
    onJoin: () => change(joinLines),
    onHide: () => change(toggleWord),
    onDelete: () => change((all, place) => retypeWord(all, place, "")),
    onFind: () => setIsFinding(!isFinding),
  };
  useEditorKeys({ editor, player, edits, select, seekTo, onKeys: () => setHasKeys(true) });

  function hideFillers() {
    const before = editor.read().editing;
    change((all, place) => hideWords(all, fillerTest(transcript.language), true, place));
    const count =
      before === editor.read().editing ? 0 : countHidden(editor.read().editing.lines) - countHidden(before.lines);
    showToast({ title: count === 0 ? "No fillers found" : `${count} ${count === 1 ? "filler" : "fillers"} hidden` });
  }
  async function download(format: TranscriptFormat) {
    try {
      await requireSaved(editor.flush);
      const { name, text } = await exportTranscript(transcript.id, format);
      saveFile(name, text, "text/plain");
    } catch (error) {
      const description = error instanceof Error ? error.message : undefined;
      showToast({ title: "Couldn't download the transcript", description, variant: "destructive" });
    }
  }
  const selected = lines[view.place.line]?.words[view.place.word];
  return (
    <div className="desk:contents max-desk:flex max-desk:flex-col max-desk:pb-16">
      <Pane>
        <EditorHead
          transcript={transcript}
          view={view}
          onExport={(format) => void download(format)}
          onHideFillers={hideFillers}
          onShowAll={() => change((all, place) => hideWords(all, () => true, false, place))}
          onNames={() => void navigate(sectionLink("names"))}
          onKeys={() => setHasKeys(true)}
        />
        <EditToolbar
          {...edits}
          canUndo={view.editing.done.length > 0}
          canRedo={view.editing.undone.length > 0}
          isHidden={selected?.hidden ?? false}
        >
          {isFinding && (
            <FindBar
              transcript={transcript}
              editor={editor}
              lines={lines}
              onSelect={select}
              onClose={() => setIsFinding(false)}
            />
          )}
        </EditToolbar>
        <EditorNotes view={view} onResolve={editor.resolve} />
        {lines.length === 0 ? (
          <EmptyState title="No words" text="No speech was found in this source, or all its words were deleted." />
        ) : (
          <LineList list={list} scroller={scroller} view={view} isEditing={isEditing} acts={acts} />
        )}
      </Pane>
      <RailPane label="Player and corrections" isBesideList className="max-desk:contents">
        <div className="max-desk:sticky max-desk:top-(--h-top) max-desk:z-[4] max-desk:-order-1 max-desk:border-b max-desk:border-line max-desk:bg-pane">
          <Player name={transcript.name} source={transcript.media_url} player={player} video={video} />
        </div>
        <ChangesBlock transcript={transcript} view={view} onFlush={editor.flush} />
      </RailPane>
      {hasKeys && <KeysDialog title="Editor shortcuts" keys={EDITOR_KEYS} onClose={() => setHasKeys(false)} />}
    </div>
  );
}

function countHidden(lines: Lines): number {
  return lines.reduce((sum, { words }) => sum + words.filter(({ hidden }) => hidden).length, 0);
}
