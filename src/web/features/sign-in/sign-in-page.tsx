import { useState, type SubmitEvent } from "react";
import { signIn } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { Logo } from "../../ui/logo.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { SignInError } from "./sign-in-error.tsx";
import { SlatField } from "./slat-field.tsx";

/** All that is shown to someone who is signed out. */
export default function SignInPage() {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function submit(form: FormData) {
    setIsBusy(true);
    setProblem(null);
    // When it works, the session gate replaces this page.
    setProblem(await signIn(textOf(form, "email"), textOf(form, "password")));
    setIsBusy(false);
  }
  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!isBusy) void submit(new FormData(event.currentTarget));
  }

  return (
    <main className="grid min-h-dvh desk:grid-cols-[minmax(0,560px)_minmax(0,1fr)] desk:p-(--gutter)">
      <title>Sign In · Clipmill</title>
      <div className="grid place-items-center bg-pane p-6 desk:rounded-3 desk:border desk:border-line">
        <form className="mb-[8vh] grid w-80 max-w-full gap-4" onSubmit={handleSubmit}>
          <h1 className="mb-4 text-ink">
            <Logo height={26} />
          </h1>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the form is all there is on this page */}
          <TextField label="Email" name="email" type="email" autoComplete="username" required autoFocus />
          <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
          {problem && <SignInError text={problem} />}
          <Button type="submit" look="primary" size="lg" isWide isBusy={isBusy}>
            {isBusy ? "Signing in..." : "Sign In"}
          </Button>
        </form>
      </div>
      <SlatField />
    </main>
  );
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
