import { Fragment, memo, useEffect, useEffectEvent, useRef, type KeyboardEvent } from "react";
import type { TranscriptWord } from "#contract/transcripts/transcripts.ts";
import { classNames } from "../../../ui/class-names.ts";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { formatClipLength } from "../../../ui/text/length-and-size.ts";
import { takesScreenKeys } from "../../../ui/use-screen-keys.ts";
import type { LineItem } from "../draft/line-items.ts";

/** Stable functions, so that lines do not render again. */
export type LineActs = {
  onChoose: (lineId: string, word: number) => void;
  onEdit: (lineId: string, word: number) => void;
  /** `next`: the word to edit then, in the text. */
  onCommit: (typed: string, next: 0 | 1 | -1) => void;
  onCancel: () => void;
};

/** Words with less confidence are likely to be wrong. */
const UNSURE = 0.5;

const WORD =
  "-mx-0.5 cursor-pointer rounded-1 px-0.5 py-px text-ink hover:bg-raised-2 data-playing:bg-ink data-playing:text-pane";

export const LineRow = memo(function LineRow({
  item: { id, line },
  activeWord,
  isEditing,
  acts,
}: {
  item: LineItem;
  /** The selected word's index, if it is in this line. */
  activeWord: number | null;
  isEditing: boolean;
  acts: LineActs;
}) {
  return (
    <div className="flex gap-4 px-6 py-1.5 max-desk:gap-3 max-desk:px-4">
      <span className="tnum w-12 shrink-0 pt-1 text-right text-12 text-ink-3 max-desk:w-10">
        {formatClipLength(line.startSeconds)}
      </span>
      <p
        dir="auto"
        className="min-w-0 flex-1 text-start text-14 leading-6 wrap-anywhere max-desk:text-[16px] max-desk:leading-8"
      >
        {line.words.map((word, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- a word is its place in the line
          <Fragment key={i}>
            {activeWord === i && isEditing ? (
              <WordField text={word.text.trim()} acts={acts} />
            ) : (
              <Word word={word} place={i} lineId={id} isActive={activeWord === i} acts={acts} />
            )}
            {word.text.endsWith("\n") ? <br /> : /\s$/u.test(word.text) && " "}
          </Fragment>
        ))}
      </p>
    </div>
  );
});

function Word({
  word: { text, hidden = false, confidence = 1 },
  place,
  lineId,
  isActive,
  acts,
}: {
  word: TranscriptWord;
  place: number;
  lineId: string;
  isActive: boolean;
  acts: LineActs;
}) {
  const isUnsure = confidence < UNSURE && !hidden;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the screen's keys act on the selected word
    <span
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a button element does not break and align as text
      role="button"
      tabIndex={isActive ? 0 : -1}
      aria-current={isActive || undefined}
      data-word={place}
      {...takesScreenKeys}
      {...tooltip(isUnsure ? "The model was not sure" : hidden ? "Hidden" : undefined)}
      className={classNames(
        WORD,
        isActive && "bg-raised-2",
        hidden && "text-ink-3 line-through",
        isUnsure && "underline decoration-warning decoration-dotted decoration-2 underline-offset-4",
      )}
      onClick={() => acts.onChoose(lineId, place)}
      onDoubleClick={() => acts.onEdit(lineId, place)}
    >
      {text.trim()}
      {hidden && <span className="sr-only"> (hidden)</span>}
    </span>
  );
}

/** Uncontrolled, so that a key press renders nothing. Leaving the page also keeps what was typed. */
function WordField({ text, acts }: { text: string; acts: LineActs }) {
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  const commit = useEffectEvent((next: 0 | 1 | -1) => {
    if (isDone.current || !field.current) return;
    isDone.current = true;
    acts.onCommit(field.current.value, next);
  });
  useEffect(() => {
    isDone.current = false;
    field.current?.focus({ preventScroll: true });
    field.current?.select();
    const leave = () => commit(0);
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, []);
  function handleKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") commit(0);
    else if (event.key === "Tab") commit(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") {
      isDone.current = true;
      acts.onCancel();
    } else return;
    event.preventDefault();
  }
  return (
    <input
      ref={field}
      type="text"
      aria-label={`Text of "${text}"`}
      defaultValue={text}
      autoComplete="off"
      className="-mx-0.5 field-sizing-content max-w-full min-w-[2ch] rounded-1 bg-well px-0.5 text-ink outline-2 outline-focus"
      onKeyDown={handleKey}
      onBlur={() => commit(0)}
    />
  );
}
