import { type Ref, type RefObject, useEffect, useRef } from "react";
import { type ListScroller, WindowList } from "../../../ui/page/window-list.tsx";
import type { EditorView } from "../draft/transcript-editor.ts";
import { type LineActs, LineRow } from "./line-row.tsx";

const ROW_PX = 60;
const PHONE_ROW_PX = 92;

/** Only the lines in view are drawn. */
export function LineList({
  list,
  scroller,
  view: { items, place },
  isEditing,
  acts,
}: {
  list: RefObject<HTMLUListElement | null>;
  scroller: Ref<ListScroller>;
  view: EditorView;
  isEditing: boolean;
  acts: LineActs;
}) {
  const activeId = items[place.line]?.id;
  const opened = useRef(place);
  useEffect(() => {
    if (opened.current === place && !isEditing) return undefined;
    // The focus follows the selection, unless the operator works elsewhere.
    const { activeElement } = document;
    const isHere = activeElement === document.body || list.current?.contains(activeElement);
    if (!isHere || isEditing) return undefined;
    const focus = () =>
      list.current?.querySelector<HTMLElement>("[data-word][aria-current]")?.focus({ preventScroll: true });
    focus();
    // A line far away is drawn after the list has scrolled to it.
    const frame = requestAnimationFrame(focus);
    return () => cancelAnimationFrame(frame);
  }, [list, place, isEditing]);
  return (
    <WindowList
      list={list}
      scroller={scroller}
      label="Lines"
      className="my-2"
      rowClassName="scroll-mt-[104px] scroll-mb-10 max-desk:scroll-mt-[180px] max-desk:scroll-mb-20"
      items={items}
      rowPx={ROW_PX}
      phoneRowPx={PHONE_ROW_PX}
    >
      {(item) => (
        <LineRow
          item={item}
          activeWord={item.id === activeId ? place.word : null}
          isEditing={isEditing && item.id === activeId}
          acts={acts}
        />
      )}
    </WindowList>
  );
}
