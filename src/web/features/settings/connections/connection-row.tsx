import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Connection, TestConnectionResponse } from "#contract/connections/connections.ts";
import { deleteConnection, testSavedConnection } from "../../../api/functions/settings/connections.ts";
import { MetaLine } from "../../../jobs/row/meta-line.tsx";
import { formatShortDate, formatWholeDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { RemoveDialog } from "../remove-dialog.tsx";
import { countUsers, describeBuckets, describeKey, describeLoss, describePlace } from "./describe-connection.ts";
import { runTest, TestResult } from "./test-result.tsx";
import { useConnectionList } from "../../../connections/use-connections.ts";

export function ConnectionRow({ connection, onEdit }: { connection: Connection; onEdit: () => void }) {
  const { id, name, version } = connection;
  const { isBusy, run } = useExclusiveAction();
  const list = useConnectionList();
  const [result, setResult] = useState<(TestConnectionResponse & { of: number }) | null>(null);
  const [isAsking, setIsAsking] = useState(false);

  async function test() {
    setResult(null);
    setResult({ ...(await runTest(() => testSavedConnection(id))), of: version });
  }
  function askToRemove() {
    setIsAsking(true);
    // Jobs may have started since.
    void list.refetch();
  }
  return (
    <li className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2 border-t border-line py-3 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-52">
          <h3 className="font-medium wrap-anywhere text-ink">{name}</h3>
          <MetaLine parts={factsOf(connection)} />
        </div>
        <div className="flex items-center gap-1">
          <Button size="sm" isBusy={isBusy} aria-label={`Test ${name}`} onClick={() => void run(test)}>
            Test
          </Button>
          <IconButton icon={Pencil} label={`Edit ${name}`} onClick={onEdit} />
          <IconButton icon={Trash2} label={`Remove ${name}`} onClick={askToRemove} />
        </div>
      </div>
      {connection.needs_secret && (
        <WarningNote text="The saved secret cannot be decrypted. Edit the connection and enter the secret again." />
      )}
      {/* Hides the result of older fields. */}
      <TestResult result={result?.of === version ? result : null} />
      <RemoveDialog
        noun="connection"
        item={connection}
        loss={describeLoss(connection)}
        onRemove={deleteConnection}
        list={list}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
      />
    </li>
  );
}

function factsOf(connection: Connection) {
  const { last_used_at: usedAt, used_by: users, used_by_total: total } = connection;
  return [
    <span key="place" className="raw normal-nums">
      {describePlace(connection)}
    </span>,
    connection.kind === "s3" && <Buckets key="buckets" buckets={connection.buckets} />,
    !connection.needs_secret && describeKey(connection),
    usedAt === null ? (
      "Never used"
    ) : (
      <span key="used" {...tooltip(`Last used ${formatWholeDate(usedAt)}`)}>
        Used {formatShortDate(usedAt)}
      </span>
    ),
    total > 0 && (
      <span key="users" {...tooltip(users.map((user) => user.name).join(", "))}>
        Needed by {countUsers(connection)}
      </span>
    ),
  ].filter((fact) => fact !== false);
}

function Buckets({ buckets }: { buckets: string[] }) {
  return (
    <span className="raw normal-nums" {...(buckets.length > 0 && tooltip(buckets.join(", ")))}>
      {describeBuckets(buckets)}
    </span>
  );
}
