import { useEffect, useState } from "react";
import { forgetLinkProblem, readLinkProblem } from "../../api/connection/arrival.ts";
import { PasswordForm } from "./password-form.tsx";
import { RecoverForm } from "./recover-form.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

/** All that is shown to someone who is signed out. */
export default function SignInPage() {
  const [isRecovering, setIsRecovering] = useState(false);
  const [email, setEmail] = useState("");
  // Said until it is answered by asking for a new link, or by signing in.
  const [problem, setProblem] = useState(readLinkProblem);
  useEffect(() => forgetLinkProblem, []);

  function recover(typedEmail: string) {
    setEmail(typedEmail);
    setProblem(null);
    setIsRecovering(true);
  }
  if (isRecovering) return <RecoverForm email={email} onBack={() => setIsRecovering(false)} />;
  return (
    <SignInFrame>
      <PasswordForm email={email} linkProblem={problem} onRecover={recover} />
    </SignInFrame>
  );
}
