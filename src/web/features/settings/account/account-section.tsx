import { useQuery } from "@tanstack/react-query";
import { readAccount, accountKey } from "../../../api/functions/settings/account.ts";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { Skeleton } from "../../../ui/states/skeleton.tsx";
import { AccountRow } from "./account-row.tsx";
import { MailRow } from "./mail-row.tsx";
import { PasswordRow } from "./password-row.tsx";
import { SecondStepRow } from "../second-step/second-step-row.tsx";
import { SessionsRow } from "./sessions-row.tsx";
import { SettingsSection } from "../settings-section.tsx";

export function AccountSection() {
  const account = useQuery({ queryKey: accountKey, queryFn: readAccount });
  return (
    <SettingsSection title="Account" text="Your password, second step and sessions.">
      {account.isPending && (
        <div aria-busy className="grid gap-2">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-4 w-56" />
        </div>
      )}
      {account.isLoadingError && (
        <ErrorState
          title="Couldn't load your account"
          text={account.error.message}
          isRetrying={account.isFetching}
          onRetry={() => void account.refetch()}
        />
      )}
      {account.data && (
        <>
          <AccountRow title="Email" text={account.data.email} />
          <PasswordRow email={account.data.email} />
          <SecondStepRow email={account.data.email} secondSteps={account.data.secondSteps} />
          <MailRow account={account.data} />
          <SessionsRow />
        </>
      )}
    </SettingsSection>
  );
}
