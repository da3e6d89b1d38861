import { useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";

/** Where the active cell moves after an edit. */
export type AfterEdit = "stay" | "down" | "up" | "right" | "left";

/** Enter, Tab and blur keep the text; Escape discards it; Alt+Enter inserts a line break. */
export function CellEditor({
  label,
  text: initial,
  onDone,
}: {
  label: string;
  text: string;
  /** `text` is null if unchanged. */
  onDone: (text: string | null, after: AfterEdit) => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(initial);
  // Closing the editor with a key also blurs it.
  const isDone = useRef(false);
  useLayoutEffect(() => {
    area.current?.focus({ preventScroll: true });
    area.current?.setSelectionRange(initial.length, initial.length);
  }, [initial]);

  function finish(result: string | null, after: AfterEdit) {
    if (isDone.current) return;
    isDone.current = true;
    onDone(result, after);
  }
  function handleKeyDown(event: KeyboardEvent) {
    // The grid and the dialog handle these keys differently.
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") finish(null, "stay");
    else if (event.key === "Tab") finish(text, event.shiftKey ? "left" : "right");
    else if (event.key === "Enter" && (event.altKey || event.ctrlKey || event.metaKey)) insertLine();
    else if (event.key === "Enter") finish(text, event.shiftKey ? "up" : "down");
    else return;
    event.preventDefault();
  }
  function insertLine() {
    const element = area.current;
    if (!element) return;
    element.setRangeText("\n", element.selectionStart, element.selectionEnd, "end");
    setText(element.value);
  }
  return (
    <textarea
      ref={area}
      aria-label={label}
      value={text}
      rows={1}
      spellCheck={false}
      autoCapitalize="off"
      className="absolute -top-px -left-px z-1 field-sizing-content max-h-40 min-h-[calc(100%+1px)] w-max max-w-[min(480px,80vw)] min-w-[calc(100%+1px)] resize-none overflow-auto border border-transparent bg-well px-2.5 py-1.5 wrap-anywhere whitespace-pre-wrap text-ink outline-2 -outline-offset-1 outline-focus select-text max-desk:py-2.5 max-desk:text-[16px]"
      onChange={(event) => setText(event.target.value)}
      onKeyDown={handleKeyDown}
      onBlur={() => finish(text, "stay")}
      onPaste={(event) => event.stopPropagation()}
      onCopy={(event) => event.stopPropagation()}
      onCut={(event) => event.stopPropagation()}
      onPointerDown={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
    />
  );
}
