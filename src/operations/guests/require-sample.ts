import { ClipmillError } from "#contract/errors.ts";
import type { Context } from "../context.ts";
import { selectSamples } from "../jobs/proof/select-samples.ts";
import type { FoundLink } from "./find-guest-link.ts";

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Throws ClipmillError "not_found" unless the output is a finished sample of the link's job. */
export async function requireSample({ db }: Pick<Context, "db">, link: FoundLink, outputId: string): Promise<void> {
  const sample = ID.test(outputId)
    ? await selectSamples(db, link.jobId).where("job_outputs.id", "=", outputId).executeTakeFirst()
    : undefined;
  if (!sample) throw new ClipmillError("not_found", "This sample does not exist.");
}
