import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { PublishResult } from "#contract/cloak/cloak.ts";
import { publishConfig } from "../../../api/functions/cloak.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { showToast } from "../../../ui/toasts/toast-list.ts";
import { cloakKeys } from "../use-cloak-data.ts";

type PublishOptions = {
  /** Republishes an earlier version instead of the saved state. */
  version?: number;
  /** Suppresses the toast. */
  isSilent?: boolean;
};

/** Ignores calls while a publish is in flight. */
export function usePublish() {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationKey: ["cloak-publish"],
    mutationFn: ({ version }: PublishOptions) => publishConfig(version === undefined ? {} : { version }),
    onSuccess: (result, { isSilent }) => {
      if (!isSilent) showToast(describeResult(result));
    },
    onError: (error, { isSilent }) => {
      if (!isSilent) showToast({ title: describeError(error), variant: "destructive" });
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: cloakKeys.environment });
      // In flight until the state is read, so that auto-publish does not act on the state before a rollback.
      return client.invalidateQueries({ queryKey: cloakKeys.state });
    },
  });
  return {
    isPublishing: isPending,
    publish: (options: PublishOptions = {}) => {
      // A second click may precede the next render.
      if (client.isMutating({ mutationKey: ["cloak-publish"] }) === 0) mutate(options);
    },
  };
}

function describeResult({ success, message, error }: PublishResult) {
  if (success) return { title: message ?? "Published", variant: "success" } as const;
  const reason = error ?? message;
  const title = reason ? `Publish failed: ${reason}` : "Failed to publish configuration";
  return { title, variant: "destructive" } as const;
}

function describeError(error: Error): string {
  return error instanceof CallError ? `Failed to publish config: ${error.message}` : "Failed to publish configuration";
}
