/** A call that was rejected or got no response. `message` can be shown to the operator. */
export class CallError extends Error {
  override readonly name = "CallError";
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** The server's title for a rejected form. */
  readonly title: string | null;

  /** False if the message is a substitute. */
  readonly hasServerMessage: boolean;

  /** The server's, for programs. */
  readonly code: string | null;

  constructor(
    status: number,
    message: string,
    title: string | null = null,
    hasServerMessage = false,
    code: string | null = null,
  ) {
    super(message);
    this.status = status;
    this.title = title;
    this.hasServerMessage = hasServerMessage;
    this.code = code;
  }
}

export const UNREACHABLE = "The server could not be reached. Check your connection and try again.";

/** Reads `{ error, title?, code? }`; without a message, names the status. */
export async function readCallError(response: Response): Promise<CallError> {
  const body: unknown = await response.json().catch(() => null);
  const { error, title, code } = isRecord(body) ? body : {};
  const hasServerMessage = typeof error === "string" && error !== "";
  return new CallError(
    response.status,
    hasServerMessage ? error : `The server returned an error (${response.status}).`,
    typeof title === "string" ? title : null,
    hasServerMessage,
    typeof code === "string" ? code : null,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
