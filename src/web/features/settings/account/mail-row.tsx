import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type Account, setWantsMail, accountKey } from "../../../api/functions/settings/account.ts";
import { readSendsMail } from "../../../api/connection/session.ts";
import { Switch } from "../../../ui/fields/switch.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { AccountRow } from "./account-row.tsx";

/** Renders nothing unless the server can send email. */
export function MailRow({ account }: { account: Account }) {
  const sendsMail = useQuery({ queryKey: ["sends-mail"], queryFn: ({ signal }) => readSendsMail(signal) });
  const client = useQueryClient();
  const toast = useToast();
  const { run } = useExclusiveAction();
  if (!sendsMail.data) return null;

  async function save(wantsMail: boolean) {
    const failure = await setWantsMail(wantsMail);
    if (failure) toast.show({ title: "Error", description: failure.message, variant: "destructive" });
    else client.setQueryData<Account>(accountKey, (known) => known && { ...known, wantsMail });
  }
  return (
    <AccountRow
      title="Mail"
      text="One email for each of your jobs that completes, fails or needs approval."
      action={
        <Switch
          label="Email me when my job ends"
          checked={account.wantsMail}
          onChange={(event) => {
            const wantsMail = event.target.checked;
            void run(() => save(wantsMail));
          }}
        />
      }
    />
  );
}
