import { useEffect, useRef, useState } from "react";

/** Put on the button that shows the links as text. */
export const editsAsText = { "data-edit-as-text": "" } as const;

/**
 * Shows links as a list (`hasList`) or as text. Text that is typed stays until the focus or a click is elsewhere; links
 * pasted at once become the list.
 */
export function useTextMode(hasList: boolean) {
  const container = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [isText, setIsText] = useState(false);
  useEffect(() => {
    if (!isText) return undefined;
    const stop = new AbortController();
    let isPressed = false;
    const leave = ({ target }: Event) => {
      if (target instanceof Node && target.isConnected && !container.current?.contains(target)) setIsText(false);
    };
    // Closing moves what is below, which would miss the click that is being made there.
    document.addEventListener("pointerdown", () => (isPressed = true), stop);
    document.addEventListener("pointerup", () => (isPressed = false), stop);
    document.addEventListener("click", leave, stop);
    document.addEventListener("focusin", (event) => !isPressed && leave(event), stop);
    return () => stop.abort();
  }, [isText]);
  const isList = hasList && !isText;
  /** What gets the focus once it is shown: the element that has it disappears. */
  const focusNext = useRef<"field" | "button" | null>(null);
  useEffect(() => {
    if (focusNext.current !== (isList ? "button" : "field")) return;
    focusNext.current = null;
    const button = container.current?.querySelector<HTMLElement>("[data-edit-as-text]");
    (isList ? button : field.current)?.focus({ preventScroll: true });
  });
  return {
    container,
    field,
    isList,
    edit: () => {
      focusNext.current = "field";
      setIsText(true);
    },
    /** For typed characters. */
    keepText: () => {
      focusNext.current = null;
      setIsText(true);
    },
    /** For links added at once. */
    showList: () => {
      focusNext.current = "button";
      setIsText(false);
    },
    /** Focuses the field once the list is empty. */
    focusField: () => {
      focusNext.current = "field";
    },
  };
}
