import { RateLimiterMemory } from "rate-limiter-flexible";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AuthError } from "../auth-error.ts";
import { createThrottles } from "./throttle.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const HERE = { account: "ada@clipmill.local", address: "192.0.2.1" };
const ELSEWHERE = { ...HERE, address: "192.0.2.2" };

async function isTaken(counting: Promise<void>): Promise<boolean> {
  try {
    await counting;
    return true;
  } catch (error) {
    if (error instanceof AuthError && error.code.startsWith("over_")) return false;
    throw error;
  }
}

it("resets all counts after ten minutes, regardless of tries in between", async () => {
  const { signIn } = createThrottles();
  for (let tries = 0; tries < 10; tries += 1) expect(await isTaken(signIn.count(HERE))).toBe(true);
  for (let tries = 0; tries < 50; tries += 1) expect(await isTaken(signIn.count(HERE))).toBe(false);
  vi.advanceTimersByTime(10 * 60 * 1000 + 1);
  expect(await isTaken(signIn.count(HERE))).toBe(true);
});

it("does not lock out an account's owner because of wrong passwords from other addresses", async () => {
  const { signIn } = createThrottles();
  for (let address = 1; address < 200; address += 1) {
    const attacker = { account: HERE.account, address: `198.51.100.${address}` };
    for (let tries = 0; tries < 11; tries += 1) await isTaken(signIn.count(attacker));
  }
  expect(await isTaken(signIn.count(HERE))).toBe(true);
});

it("counts an address across all accounts, and takes back successful tries", async () => {
  const { signIn } = createThrottles();
  for (let accounts = 0; accounts < 60; accounts += 1) {
    expect(await isTaken(signIn.count({ ...HERE, account: `${accounts}@clipmill.local` }))).toBe(true);
  }
  expect(await isTaken(signIn.count(HERE))).toBe(false);
  expect(await isTaken(signIn.count(ELSEWHERE))).toBe(true);
  const calm = createThrottles().signIn;
  for (let tries = 0; tries < 100; tries += 1) {
    expect(await isTaken(calm.count(HERE))).toBe(true);
    await calm.forgive(HERE);
  }
});

it("counts wrong second-step codes across all addresses, because the password is already known", async () => {
  const { secondStep } = createThrottles();
  let taken = 0;
  for (let address = 1; address < 50; address += 1) {
    if (await isTaken(secondStep.count({ account: HERE.account, address: `198.51.100.${address}` }))) taken += 1;
  }
  expect(taken).toBe(30);
});

it("stores no more names for an address that has used up its tries", async () => {
  const { signIn } = createThrottles();
  for (let tries = 0; tries < 60; tries += 1) {
    await isTaken(signIn.count({ ...HERE, account: `${tries}@clipmill.local` }));
  }
  const consume = vi.spyOn(RateLimiterMemory.prototype, "consume");
  for (let tries = 60; tries < 160; tries += 1) {
    expect(await isTaken(signIn.count({ ...HERE, account: `${tries}@clipmill.local` }))).toBe(false);
  }
  expect(consume.mock.calls.filter(([key]) => String(key).includes("@"))).toEqual([]);
  consume.mockRestore();
});

it("does not count rejected tries for one account against others from the same address", async () => {
  const { signIn } = createThrottles();
  for (let tries = 0; tries < 100; tries += 1) await isTaken(signIn.count(HERE));
  expect(await isTaken(signIn.count({ ...HERE, account: "grace@clipmill.local" }))).toBe(true);
});

it("reserves an email for the owner regardless of strangers' requests, and stops a flood", async () => {
  const { mail } = createThrottles();
  let sent = 0;
  for (let stranger = 1; stranger <= 50; stranger += 1) {
    for (let tries = 0; tries < 10; tries += 1) {
      if (await isTaken(mail.count({ ...HERE, address: `198.51.100.${stranger}` }))) sent += 1;
    }
  }
  // Three strangers use up five emails each; every other one gets one.
  expect(sent).toBe(15 + 47);
  expect(await isTaken(mail.count(HERE))).toBe(true);
  for (let stranger = 1; stranger <= 200; stranger += 1) {
    if (await isTaken(mail.count({ ...HERE, address: `203.0.113.${stranger}` }))) sent += 1;
  }
  expect(sent).toBe(15 + 100 - 1);
});

it("counts a signed-in account's emails separately from those that strangers request", async () => {
  const { mail, ownMail } = createThrottles();
  for (let stranger = 1; stranger <= 200; stranger += 1) {
    await isTaken(mail.count({ ...HERE, address: `198.51.100.${stranger}` }));
  }
  for (let tries = 0; tries < 5; tries += 1) expect(await isTaken(ownMail.count(HERE))).toBe(true);
  expect(await isTaken(ownMail.count(HERE))).toBe(false);
});
