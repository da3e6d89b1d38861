import {
  testDestinationFieldsSchema,
  testSavedDestinationSchema,
} from "#contract/destinations/destination-requests.ts";
import type { TestDestinationResponse } from "#contract/destinations/destinations.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { destinationGone, requireUsablePlace } from "./change-destination.ts";
import { openTarget, type Target } from "./open-target.ts";
import { selectDestinations } from "./select-destinations.ts";

const TIMEOUT_MS = 20_000;

type TestContext = Pick<Context, "db" | "secrets" | "hosts" | "deliveryFolders">;

/**
 * Writes a small file and removes it; at Postiz, checks the channels. Returns the result as a sentence. Throws
 * ClipmillError "invalid".
 */
export async function testDestination(context: TestContext, body: unknown): Promise<TestDestinationResponse> {
  const isTyped = typeof body === "object" && body !== null && "kind" in body;
  const read = isTyped
    ? useFields(context, parseInput(testDestinationFieldsSchema, body))
    : useSaved(context, parseInput(testSavedDestinationSchema, body).id);
  try {
    const { folder, ...target } = await read();
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    await using opened = await openTarget(context, target, signal);
    // The job's name is not known.
    await opened.probe(folder.split(/\/?[^/]*\{/)[0]!, signal);
    const message =
      target.kind === "postiz" ? "Clipmill can post to these channels." : "Clipmill can write to this destination.";
    return { isValid: true, message };
  } catch (error) {
    if (error instanceof ClipmillError) return { isValid: false, message: error.message };
    throw error;
  }
}

type Tested = Target & { folder: string };

function useSaved({ db }: TestContext, id: string) {
  return async (): Promise<Tested> => {
    const row = await selectDestinations(db).where("id", "=", id).executeTakeFirst();
    if (!row) throw destinationGone();
    return { ...row, ...row.settings };
  };
}

function useFields(context: TestContext, fields: Tested) {
  return async (): Promise<Tested> => {
    await requireUsablePlace(context, context.db, fields);
    return fields;
  };
}
