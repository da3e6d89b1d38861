import { useEffect, useRef, useState } from "react";
import { needsNewLink } from "../../api/connection/arrival.ts";
import { signIn } from "../../api/connection/session.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { SignInError, TextButton } from "./sign-in-parts.tsx";
import { useSubmit } from "./use-submit.ts";

/** On success, the session gate replaces this form. */
export function PasswordForm({
  email,
  problem,
  onRecover,
}: {
  email: string;
  /** Why the opened link, or the sign-in at the identity provider, failed. */
  problem: string | null;
  onRecover: (email: string) => void;
}) {
  const emailField = useRef<HTMLInputElement>(null);
  const isOpen = useIsOpen();
  const [isStarting, setIsStarting] = useState(false);
  const { isBusy, failure, handleSubmit } = useSubmit(async (field) => {
    const failed = await signIn(field("email"), field("password"), () => {
      setIsStarting(true);
      return isOpen.current;
    });
    setIsStarting(false);
    return failed;
  });
  const recover = () => onRecover(emailField.current?.value ?? "");
  return (
    <form className="grid gap-4" onSubmit={handleSubmit}>
      {problem && (
        <SignInError text={problem}>
          {needsNewLink && <TextButton onClick={recover}>Get a new link</TextButton>}
        </SignInError>
      )}
      <TextField
        ref={emailField}
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has only this form
        autoFocus={email === ""}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has only this form
        autoFocus={email !== ""}
      />
      {failure && <SignInError text={failure.message} />}
      {isStarting && <output className="text-12">Clipmill is starting and will sign you in shortly.</output>}
      <Button type="submit" look="primary" size="lg" isWide isBusy={isBusy}>
        {isBusy ? "Signing in..." : "Sign In"}
      </Button>
      <TextButton onClick={recover}>Forgot password?</TextButton>
    </form>
  );
}

/** Whether the form is still mounted after submit. */
function useIsOpen() {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => void (isOpen.current = false);
  }, []);
  return isOpen;
}
