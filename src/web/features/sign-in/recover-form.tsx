import { useEffect, useState } from "react";
import { UNEXPECTED } from "../../api/connection/auth-failure.ts";
import { readSendsMail, requestRecovery } from "../../api/connection/session.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { SignInError } from "./sign-in-error.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";
import { TextButton } from "./text-button.tsx";
import { useSubmit } from "./use-submit.ts";

const TITLE = "Forgot password?";

/** Asks for a recovery link; without a mail server it says who can help. */
export function RecoverForm({ email, onBack }: { email: string; onBack: () => void }) {
  const way = useWay();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { isBusy, failure, handleSubmit } = useSubmit(async (field) => {
    const problem = await requestRecovery(field("email"));
    if (!problem) setSentTo(field("email"));
    return problem;
  });
  const back = <TextButton onClick={onBack}>Back to sign in</TextButton>;

  if (way === "unknown") return <SignInFrame title={TITLE}>{back}</SignInFrame>;
  if (way === "unreachable") {
    return (
      <SignInFrame title={TITLE}>
        <SignInError text={UNEXPECTED} />
        {back}
      </SignInFrame>
    );
  }
  if (way === "ask") {
    return (
      <SignInFrame
        title={TITLE}
        text={
          <>
            This installation can't send email. Ask its administrator to set a new password with{" "}
            <span className="raw font-medium whitespace-nowrap text-ink">clipmill user reset-password</span>.
          </>
        }
      >
        {back}
      </SignInFrame>
    );
  }
  if (sentTo !== null) {
    return (
      <SignInFrame
        title="Check your email"
        text={`If ${sentTo} has an account, we sent a link to set a new password. It works once and expires in an hour.`}
      >
        {back}
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={TITLE} text="We'll email you a link to set a new password.">
      <form className="grid gap-4" onSubmit={handleSubmit}>
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          required
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form is all there is on this page
          autoFocus
        />
        {failure && <SignInError text={failure.message} />}
        <Button type="submit" look="primary" size="lg" isWide isBusy={isBusy}>
          {isBusy ? "Sending..." : "Send link"}
        </Button>
      </form>
      {back}
    </SignInFrame>
  );
}

type Way = "unknown" | "mail" | "ask" | "unreachable";

/** How a forgotten password is helped here. */
function useWay(): Way {
  const [way, setWay] = useState<Way>("unknown");
  useEffect(() => {
    const stop = new AbortController();
    readSendsMail(stop.signal).then(
      (sendsMail) => setWay(sendsMail ? "mail" : "ask"),
      () => !stop.signal.aborted && setWay("unreachable"),
    );
    return () => stop.abort();
  }, []);
  return way;
}
