import { useRef } from "react";
import { signIn } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { SignInError } from "./sign-in-error.tsx";
import { TextButton } from "./text-button.tsx";
import { useSubmit } from "./use-submit.ts";

/** Email and password. When they are right, the session gate replaces this form. */
export function PasswordForm({
  email,
  linkProblem,
  onRecover,
}: {
  email: string;
  /** Why the link of a mail did not work, when one led here. */
  linkProblem: string | null;
  onRecover: (email: string) => void;
}) {
  const emailField = useRef<HTMLInputElement>(null);
  const { isBusy, failure, handleSubmit } = useSubmit((field) => signIn(field("email"), field("password")));
  const recover = () => onRecover(emailField.current?.value ?? "");
  return (
    <form className="grid gap-4" onSubmit={handleSubmit}>
      {linkProblem && (
        <SignInError text={linkProblem}>
          <TextButton onClick={recover}>Get a new link</TextButton>
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
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form is all there is on this page
        autoFocus
      />
      <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
      {failure && <SignInError text={failure.message} />}
      <Button type="submit" look="primary" size="lg" isWide isBusy={isBusy}>
        {isBusy ? "Signing in..." : "Sign In"}
      </Button>
      <TextButton onClick={recover}>Forgot password?</TextButton>
    </form>
  );
}
