import { useEffect, useState } from "react";
import type { SignInOptions } from "#contract/accounts/sign-in.ts";
import { clearLinkProblem, readLinkProblem } from "../../api/connection/arrival.ts";
import { readSignInOptions } from "../../api/connection/session.ts";
import { PasswordForm } from "./password-form.tsx";
import { ProviderButton } from "./provider-button.tsx";
import { RecoverForm } from "./recover-form.tsx";
import { SignInError } from "./sign-in-parts.tsx";
import { LogoFrame } from "../../ui/page/logo-frame.tsx";

/** `endedEmail`: whose session ended, if one did while this page was open. */
export default function SignInPage({ endedEmail }: { endedEmail: string | null }) {
  const [isRecovering, setIsRecovering] = useState(false);
  const [email, setEmail] = useState(endedEmail ?? "");
  // Shown until the user requests a new link or signs in.
  const [problem, setProblem] = useState(readLinkProblem);
  useEffect(() => clearLinkProblem, []);
  const options = useOptions();

  function recover(typedEmail: string) {
    setEmail(typedEmail);
    setProblem(null);
    setIsRecovering(true);
  }
  if (isRecovering) return <RecoverForm email={email} onBack={() => setIsRecovering(false)} />;
  return (
    <LogoFrame text={endedEmail === null ? undefined : "Your session has ended. Sign in to continue."}>
      {options?.hasPasswords && <PasswordForm email={email} problem={problem} onRecover={recover} />}
      {options?.hasPasswords === false && problem && <SignInError text={problem} />}
      {options?.openIdName != null && <ProviderButton name={options.openIdName} isOnly={!options.hasPasswords} />}
    </LogoFrame>
  );
}

const PASSWORDS_ONLY = { hasPasswords: true, openIdName: null };
/** A server that is slow to respond must not hide the form. */
const PATIENCE_MS = 3_000;

/** Null until they are known, so that the form does not change while someone types. */
function useOptions(): Pick<SignInOptions, "hasPasswords" | "openIdName"> | null {
  const [options, setOptions] = useState<Pick<SignInOptions, "hasPasswords" | "openIdName"> | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    readSignInOptions(AbortSignal.any([stop.signal, AbortSignal.timeout(PATIENCE_MS)])).then(
      setOptions,
      () => !stop.signal.aborted && setOptions(PASSWORDS_ONLY),
    );
    return () => stop.abort();
  }, []);
  return options;
}
