import { Plus } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import type { SetKind } from "../set-kind.ts";
import type { useSets } from "../use-sets.ts";
import { searchSets } from "./search-sets.ts";
import { type SetActions, SetCard, SetCardSkeleton } from "./set-card.tsx";

/** Shared by both places of the button, for restoring focus. */
export const createButtonId = "create-set";

export function SetContent({
  kind,
  query,
  words,
  nameItem,
  actions,
  onCreate,
  onClear,
}: {
  kind: SetKind;
  query: ReturnType<typeof useSets>;
  words: string;
  nameItem: (item: string) => string;
  actions: SetActions;
  onCreate: () => void;
  onClear: () => void;
}) {
  const { data: sets, error, isFetching, fetchStatus, refetch } = query;
  const { texts } = kind;
  const found = useMemo(() => sets && searchSets(sets, words), [sets, words]);
  if (!found) {
    if (error) {
      const retry = () => void refetch();
      return <ErrorState title={texts.failedToLoad} text={error.message} isRetrying={isFetching} onRetry={retry} />;
    }
    if (fetchStatus === "paused") return <EmptyState title="You are offline" text={texts.offline} />;
    return <SetGridSkeleton label={texts.loading} />;
  }
  if (sets?.length === 0) {
    // Takes over focus from the head's button, which is shown only until the list has loaded.
    const hadFocus = document.activeElement?.id === createButtonId;
    const takeFocus = (button: HTMLButtonElement | null) => void (hadFocus && button?.focus());
    const create = (
      <Button id={createButtonId} ref={takeFocus} look="primary" icon={Plus} onClick={onCreate}>
        Create New Set
      </Button>
    );
    return <EmptyState title={texts.emptyTitle} text={texts.emptyText} action={create} />;
  }
  if (found.length === 0) {
    const clear = <Button onClick={onClear}>Clear filters</Button>;
    return (
      <EmptyState title={texts.noMatchTitle} text="Try adjusting your search to see more results." action={clear} />
    );
  }
  return (
    <SetGrid>
      {found.map((set) => (
        <SetCard key={set.id} kind={kind} set={set} words={words} nameItem={nameItem} {...actions} />
      ))}
    </SetGrid>
  );
}

const SKELETONS = ["a", "b", "c", "d", "e", "f"];

function SetGrid({ children }: { children: ReactNode }) {
  return <ul className={GRID}>{children}</ul>;
}

function SetGridSkeleton({ label }: { label: string }) {
  return (
    <ul aria-busy aria-label={label} className={GRID}>
      {SKELETONS.map((key) => (
        <SetCardSkeleton key={key} />
      ))}
    </ul>
  );
}

const GRID =
  "grid gap-x-2 px-3 pb-3 desk:grid-cols-[repeat(auto-fill,minmax(300px,1fr))] max-desk:grid-cols-1 max-desk:px-0";
