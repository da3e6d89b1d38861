import { useEffect, useState } from "react";
import { UNEXPECTED } from "../../api/connection/auth-failure.ts";
import { readSignInOptions, requestRecovery } from "../../api/connection/session.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { SignInError, TextButton } from "./sign-in-parts.tsx";
import { LogoFrame } from "../../ui/page/logo-frame.tsx";
import { useSubmit } from "./use-submit.ts";

const TITLE = "Forgot password?";

/** Emails a link; without a mail server, names the command an administrator can run. */
export function RecoverForm({ email, onBack }: { email: string; onBack: () => void }) {
  const method = useRecoveryMethod();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { isBusy, failure, handleSubmit } = useSubmit(async (field) => {
    const problem = await requestRecovery(field("email"));
    if (!problem) setSentTo(field("email"));
    return problem;
  });
  const back = <TextButton onClick={onBack}>Back to sign in</TextButton>;

  if (method === "unknown") return <LogoFrame title={TITLE}>{back}</LogoFrame>;
  if (method === "unreachable") {
    return (
      <LogoFrame title={TITLE}>
        <SignInError text={UNEXPECTED} />
        {back}
      </LogoFrame>
    );
  }
  if (method === "ask") {
    return (
      <LogoFrame
        title={TITLE}
        text={
          <>
            Email is not set up on this installation. Ask your administrator to reset your password with{" "}
            <span className="raw font-medium whitespace-nowrap text-ink">clipmill user reset-password</span>.
          </>
        }
      >
        {back}
      </LogoFrame>
    );
  }
  if (sentTo !== null) {
    return (
      <LogoFrame
        title="Check your email"
        text={`If ${sentTo} has an account, we sent a link to set a new password. The link works once and expires in an hour.`}
      >
        {back}
      </LogoFrame>
    );
  }
  return (
    <LogoFrame title={TITLE} text="We'll email you a link to set a new password.">
      <form className="grid gap-4" onSubmit={handleSubmit}>
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          required
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has only this form
          autoFocus
        />
        {failure && <SignInError text={failure.message} />}
        <Button type="submit" look="primary" size="lg" isWide isBusy={isBusy}>
          {isBusy ? "Sending..." : "Send link"}
        </Button>
      </form>
      {back}
    </LogoFrame>
  );
}

type RecoveryMethod = "unknown" | "mail" | "ask" | "unreachable";

function useRecoveryMethod(): RecoveryMethod {
  const [method, setMethod] = useState<RecoveryMethod>("unknown");
  useEffect(() => {
    const stop = new AbortController();
    readSignInOptions(stop.signal).then(
      ({ sendsMail }) => setMethod(sendsMail ? "mail" : "ask"),
      () => !stop.signal.aborted && setMethod("unreachable"),
    );
    return () => stop.abort();
  }, []);
  return method;
}
