import { z } from "zod";
import { component } from "./component.ts";

/** In characters. */
export const PASSWORD_LIMITS = { shortest: 8, longest: 256 } as const;

export const AccountSession = component("AccountSession", () => ({
  id: z.string(),
  userAgent: z.string().nullable(),
  createdAt: z.string(),
  lastUsedAt: z.string().describe("When its tokens were last renewed, about once an hour."),
  isThisOne: z.boolean(),
}));
export type AccountSession = z.infer<typeof AccountSession>;

export const SessionsResponse = component("SessionsResponse", () => ({ data: z.array(AccountSession) }));
export type SessionsResponse = z.infer<typeof SessionsResponse>;
