import type { UseQueryResult } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { type ComponentType, type ReactNode, useState } from "react";
import type { TestConnectionResponse } from "#contract/connections/connections.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { runTest, TestResult } from "../../../editors/draft-test.tsx";
import type { SavedItem, SavedList, SavedNoun } from "../../../editors/saved-items.ts";
import { MetaLine } from "../../../jobs/row/job-row.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { capitalize } from "../../../ui/text/capitalize.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { AccountRow } from "../account/account-row.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { useLinkedAction } from "../use-linked-action.ts";

type Kind<Item> = {
  noun: SavedNoun;
  list: SavedList<Item>;
  factsOf: (item: Item) => ReactNode[];
  /** Null unless the item cannot be used. */
  warningOf: (item: Item) => string | null;
  /** What the removal breaks. */
  describeLoss: (item: Item) => string;
  test: (id: string) => Promise<TestConnectionResponse>;
  /** Fails without `force` while something uses the item. */
  remove: (id: string, force: boolean) => Promise<void>;
};

/** Lists connections or destinations. */
export function SavedSection<Item extends SavedItem>({
  text,
  emptyText,
  query,
  note,
  Sheet,
  ...kind
}: Kind<Item> & {
  text: string;
  emptyText: string;
  query: UseQueryResult<{ data: Item[] }>;
  /** Above the items. */
  note?: ReactNode;
  Sheet: ComponentType<{ opened: Item | "new" | null; onClose: () => void }>;
}) {
  const { noun } = kind;
  const [opened, setOpened] = useState<Item | "new" | null>(null);
  useLinkedAction(`new-${noun}`, () => setOpened("new"));
  const items = query.data?.data;
  return (
    <SettingsSection hash={`${noun}s`} text={text}>
      {query.isLoadingError && (
        <ErrorState
          title={`Couldn't load the ${noun}s`}
          text={query.error.message}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {items?.length === 0 && <AccountRow title={`No ${noun}s`} text={emptyText} />}
      {items && items.length > 0 && (
        <>
          {note}
          <ul aria-label={`${capitalize(noun)}s`} className="grid min-w-0">
            {items.map((item) => (
              <SavedRow key={item.id} item={item} onEdit={() => setOpened(item)} {...kind} />
            ))}
          </ul>
        </>
      )}
      {/* Not in the list, so that the focus returns to it. */}
      <div>
        <Button icon={Plus} onClick={() => setOpened("new")}>
          New {noun}
        </Button>
      </div>
      <Sheet opened={opened} onClose={() => setOpened(null)} />
    </SettingsSection>
  );
}

function SavedRow<Item extends SavedItem>({ item, onEdit, ...kind }: Kind<Item> & { item: Item; onEdit: () => void }) {
  const { id, name, version } = item;
  const { isBusy, run } = useExclusiveAction();
  const [result, setResult] = useState<(TestConnectionResponse & { of: number }) | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const warning = kind.warningOf(item);

  async function test() {
    setResult(null);
    setResult({ ...(await runTest(() => kind.test(id))), of: version });
  }
  function askToRemove() {
    setIsAsking(true);
    // Jobs may have started since.
    void kind.list.refetch();
  }
  return (
    <li className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2 border-t border-line py-3 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-52">
          <h3 className="font-medium wrap-anywhere text-ink">{name}</h3>
          <MetaLine parts={kind.factsOf(item)} />
        </div>
        <div className="flex items-center gap-1">
          <Button size="sm" isBusy={isBusy} aria-label={`Test ${name}`} onClick={() => void run(test)}>
            Test
          </Button>
          <IconButton icon={Pencil} label={`Edit ${name}`} onClick={onEdit} />
          <IconButton icon={Trash2} label={`Remove ${name}`} onClick={askToRemove} />
        </div>
      </div>
      {warning !== null && <WarningNote text={warning} />}
      {/* Hides the result of older fields. */}
      <TestResult result={result?.of === version ? result : null} />
      <RemoveDialog item={item} isOpen={isAsking} onClose={() => setIsAsking(false)} {...kind} />
    </li>
  );
}

const CONFLICT = 409;

/** Confirms the removal; asks again if the item came into use meanwhile. */
function RemoveDialog<Item extends SavedItem>({
  noun,
  item,
  describeLoss,
  remove,
  list,
  isOpen,
  onClose,
}: Kind<Item> & { item: Item; isOpen: boolean; onClose: () => void }) {
  const { id, name, used_by_total: users } = item;
  const { isBusy, run } = useExclusiveAction();
  const toast = useToast();

  async function confirm() {
    try {
      await remove(id, users > 0);
      onClose();
      list.drop(id);
      toast.show({
        title: `${capitalize(noun)} Removed`,
        description: `"${name}" was deleted.`,
        variant: "success",
      });
    } catch (error) {
      if (error instanceof CallError && error.status === CONFLICT) {
        await list.refetch();
        return;
      }
      const reason = error instanceof CallError ? error.message : `Couldn't remove the ${noun}`;
      toast.show({ title: "Error", description: reason, variant: "destructive" });
      onClose();
    }
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Remove ${name}?`}
      text={describeLoss(item)}
      confirmLabel={`Remove ${noun}`}
      cancelLabel={`Keep ${noun}`}
      isBusy={isBusy}
      onConfirm={() => void run(confirm)}
      onClose={onClose}
    />
  );
}
