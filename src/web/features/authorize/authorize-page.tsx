import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { TOKEN_SCOPES } from "#contract/api-tokens.ts";
import { readAuthorizationRequest, TOOL_SCOPES } from "#contract/oauth.ts";
import { arrivalQuery } from "../../api/connection/arrival.ts";
import { signOut, useSession } from "../../api/connection/session.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { allowAuthorization, type AskedAccess, checkAuthorization } from "../../api/functions/settings/oauth.ts";
import {
  DEFAULT_LIFETIME,
  expiryOf,
  IdentityField,
  type TokenChoice,
  TokenFields,
  useIdentityProof,
} from "../../tokens/token-fields.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { buttonClasses } from "../../ui/buttons/button-classes.ts";
import { LogoFrame } from "../../ui/page/logo-frame.tsx";
import { ErrorBox } from "../../ui/states/error-box.tsx";
import { useExclusiveAction } from "../../ui/use-exclusive-action.ts";
import { useSettled } from "./use-settled.ts";

const request = readAuthorizationRequest(arrivalQuery);

/** Asks whether an AI assistant may sign in. Nothing leaves this page before a decision. */
export function AuthorizePage() {
  const asked = useQuery({
    queryKey: ["authorization"],
    queryFn: ({ signal }) => checkAuthorization(request, signal),
    staleTime: Infinity,
  });
  const [decision, setDecision] = useState<"allowed" | "denied" | null>(null);

  function leave(next: "allowed" | "denied", address: string | null) {
    setDecision(next);
    // Back must not return here: the request is used up.
    if (address !== null) location.replace(address);
  }
  if (decision !== null) {
    return (
      <LogoFrame
        title={decision === "allowed" ? "Access allowed" : "Access denied"}
        text={
          decision === "allowed"
            ? "Continue in the assistant. You can close this page."
            : "The assistant gets no access. You can close this page."
        }
      >
        {null}
      </LogoFrame>
    );
  }
  if (asked.data) {
    return (
      <Decision
        asked={asked.data}
        onAllow={(address) => leave("allowed", address)}
        onDeny={() => leave("denied", asked.data.deny_url)}
      />
    );
  }
  return (
    <LogoFrame title="Connect an assistant">
      {asked.isError ? (
        <>
          <ErrorBox text={asked.error.message} />
          {asked.error instanceof CallError && asked.error.code === "invalid" ? null : (
            <Button isBusy={asked.isFetching} onClick={() => void asked.refetch()}>
              Try again
            </Button>
          )}
        </>
      ) : (
        <output>Loading...</output>
      )}
    </LogoFrame>
  );
}

function Decision({
  asked,
  onAllow,
  onDeny,
}: {
  asked: AskedAccess;
  onAllow: (address: string) => void;
  onDeny: () => void;
}) {
  const session = useSession();
  const [choice, setChoice] = useState<TokenChoice>({
    // Others are offered, but a link must not select more than tools can use.
    scopes: asked.scopes.filter((scope) => TOOL_SCOPES.includes(scope)),
    lifetime: DEFAULT_LIFETIME,
  });
  const [failure, setFailure] = useState<CallError | null>(null);
  const isSettled = useSettled();
  const proof = useIdentityProof();
  const { isBusy, run } = useExclusiveAction();
  const email = session.open?.email ?? "";

  async function allow() {
    setFailure(null);
    try {
      const { scopes } = choice;
      onAllow(
        await allowAuthorization(request, { scopes: [...scopes], expires_at: expiryOf(choice), ...proof.fields }),
      );
    } catch (error) {
      if (error instanceof CallError && error.code === "reauthentication_needed") proof.require();
      else
        setFailure(
          error instanceof CallError ? error : new CallError(0, "The assistant could not be connected. Try again."),
        );
    }
  }
  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    void run(allow);
  }
  return (
    <LogoFrame
      title="Connect an assistant"
      text={
        <>
          Allow{" "}
          <b className="font-semibold text-ink">
            “<bdi>{asked.client_name}</bdi>”
          </b>{" "}
          to use Clipmill as {email}?
        </>
      }
    >
      <form className="grid gap-4" onSubmit={handleSubmit}>
        <div className="grid gap-1 rounded-2 bg-well px-3 py-2 wrap-anywhere">
          <p>
            Access goes to <Target {...asked.target} />.
          </p>
          <p className="text-12 text-ink-3">
            The assistant chose its own name. Allow it only if you have just connected it yourself.
          </p>
        </div>
        <TokenFields
          choice={choice}
          scopes={TOKEN_SCOPES.filter((scope) => TOOL_SCOPES.includes(scope) || asked.scopes.includes(scope))}
          onChange={setChoice}
        />
        <IdentityField proof={proof} email={email} hint="Confirm that it's you to connect the assistant." />
        {failure !== null && <ErrorBox text={failure.message} />}
        {failure?.code === "too_many" && (
          <a href="/settings/automation#api-tokens" target="_blank" rel="noopener" className={buttonClasses({})}>
            Open API tokens
          </a>
        )}
        <div className="grid gap-2">
          <Button type="submit" look="primary" size="lg" isWide isBusy={isBusy} disabled={!isSettled}>
            Allow
          </Button>
          <Button size="lg" isWide disabled={isBusy} onClick={onDeny}>
            Deny
          </Button>
          <Button look="quiet" size="lg" isWide disabled={isBusy} onClick={() => void signOut()}>
            Use another account
          </Button>
        </div>
      </form>
    </LogoFrame>
  );
}

function Target({ kind, name }: AskedAccess["target"]) {
  const strong = <b className="font-semibold text-ink">{name}</b>;
  switch (kind) {
    case "website":
      return strong;
    case "computer":
      return <>an app on this computer ({strong})</>;
    case "app":
      return <>the app that opens {strong} links</>;
  }
}
