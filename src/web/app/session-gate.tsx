import { Suspense, useEffect } from "react";
import { clearLinkProblem, readLinkProblem } from "../api/connection/arrival.ts";
import { useSession } from "../api/connection/session.ts";
import { showToast } from "../ui/toasts/toast-list.ts";
import { lazyPart } from "../ui/page/lazy-part.ts";

const SignInPage = lazyPart(() => import("../features/sign-in/sign-in-page.tsx"));
const CodePage = lazyPart(() => import("../features/sign-in/code-page.tsx"));
const NewPasswordPage = lazyPart(() => import("../features/sign-in/new-password-page.tsx"));
const SignedInApp = lazyPart(() => import("./signed-in-app.tsx"));

/**
 * Renders nothing until the session is known, so that nothing flashes. When a session ends, the screens stay open behind
 * the sign-in form, with what was typed, for the same account only.
 */
export function SessionGate() {
  const session = useSession();
  const { open } = session;
  const isSignedIn = session.status === "signed-in";
  useEffect(() => {
    const problem = isSignedIn ? readLinkProblem() : null;
    if (problem) showToast({ title: "Error", description: problem, variant: "destructive" });
    if (isSignedIn) clearLinkProblem();
  }, [isSignedIn]);
  return (
    <>
      <Suspense>{open && <SignedInApp key={open.userId} isHidden={!isSignedIn} />}</Suspense>
      <Suspense>{!isSignedIn && <SignInScreen session={session} />}</Suspense>
    </>
  );
}

function SignInScreen({ session }: { session: ReturnType<typeof useSession> }) {
  switch (session.status) {
    case "signed-out":
      return <SignInPage endedEmail={session.open?.email ?? null} />;
    case "second-step":
      return <CodePage />;
    case "new-password":
      return <NewPasswordPage email={session.email} />;
    case "unknown":
    case "signed-in":
      return null;
  }
}
