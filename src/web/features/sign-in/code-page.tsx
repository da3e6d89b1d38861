import { useState } from "react";
import { passSecondStep, signOut, verifiedFactors } from "../../api/connection/session.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { SignInError, TextButton } from "./sign-in-parts.tsx";
import { LogoFrame } from "../../ui/page/logo-frame.tsx";
import { useSubmit } from "./use-submit.ts";

/** On success, the session gate replaces this page. */
export default function CodePage() {
  const [factors] = useState(verifiedFactors);
  const [position, setPosition] = useState(0);
  const factor = factors[position];
  const other = factors.length > 1 ? factors[(position + 1) % factors.length] : undefined;
  const { isBusy, failure, handleSubmit } = useSubmit((field) =>
    passSecondStep(factor?.id ?? "", field("code").replaceAll(/\s/g, "")),
  );
  return (
    <LogoFrame title="Enter your code" text={`Use the current six-digit code from “${factor?.name}”.`}>
      <form className="grid gap-4" onSubmit={handleSubmit}>
        <TextField
          key={factor?.id}
          label="Code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          className="tnum"
          required
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has only this form
          autoFocus
        />
        {failure && <SignInError text={failure.message} />}
        <Button type="submit" look="primary" size="lg" isWide isBusy={isBusy}>
          {isBusy ? "Checking..." : "Continue"}
        </Button>
      </form>
      {other && (
        <TextButton onClick={() => setPosition((position + 1) % factors.length)}>Use “{other.name}”</TextButton>
      )}
      <TextButton onClick={() => void signOut()}>Back to sign in</TextButton>
    </LogoFrame>
  );
}
