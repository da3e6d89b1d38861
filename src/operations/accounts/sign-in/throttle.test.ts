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

it("forgets all counts after ten minutes, however many tries there were meanwhile", async () => {
  const { signIn } = createThrottles();
  for (let tries = 0; tries < 10; tries += 1) expect(await isTaken(signIn.count(HERE))).toBe(true);
  for (let tries = 0; tries < 50; tries += 1) expect(await isTaken(signIn.count(HERE))).toBe(false);
  vi.advanceTimersByTime(10 * 60 * 1000 + 1);
  expect(await isTaken(signIn.count(HERE))).toBe(true);
});

it("lets nobody keep an account's owner out by wrong passwords from elsewhere", async () => {
  const { signIn } = createThrottles();
  for (let address = 1; address < 200; address += 1) {
    const attacker = { account: HERE.account, address: `198.51.100.${address}` };
    for (let tries = 0; tries < 11; tries += 1) await isTaken(signIn.count(attacker));
  }
  expect(await isTaken(signIn.count(HERE))).toBe(true);
});

it("counts an address for all accounts, and takes back what was right", async () => {
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

it("counts the second step's wrong codes over all addresses, for who tries them knows the password", async () => {
  const { secondStep } = createThrottles();
  let taken = 0;
  for (let address = 1; address < 50; address += 1) {
    if (await isTaken(secondStep.count({ account: HERE.account, address: `198.51.100.${address}` }))) taken += 1;
  }
  expect(taken).toBe(30);
});

it("keeps nothing of the names that an address tries once it has had all of its tries", async () => {
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

it("does not count what was refused for one account against the others of the same address", async () => {
  const { signIn } = createThrottles();
  for (let tries = 0; tries < 100; tries += 1) await isTaken(signIn.count(HERE));
  expect(await isTaken(signIn.count({ ...HERE, account: "grace@clipmill.local" }))).toBe(true);
});

it("leaves the owner a mail, however many strangers ask for some, and stops a flood", async () => {
  const { mail } = createThrottles();
  let sent = 0;
  for (let stranger = 1; stranger <= 50; stranger += 1) {
    for (let tries = 0; tries < 10; tries += 1) {
      if (await isTaken(mail.count({ ...HERE, address: `198.51.100.${stranger}` }))) sent += 1;
    }
  }
  // Three strangers use up the five mails of each, all others get one.
  expect(sent).toBe(15 + 47);
  expect(await isTaken(mail.count(HERE))).toBe(true);
  for (let stranger = 1; stranger <= 200; stranger += 1) {
    if (await isTaken(mail.count({ ...HERE, address: `203.0.113.${stranger}` }))) sent += 1;
  }
  expect(sent).toBe(15 + 100 - 1);
});

it("counts the mails of a signed-in account apart from those that strangers ask for", async () => {
  const { mail, ownMail } = createThrottles();
  for (let stranger = 1; stranger <= 200; stranger += 1) {
    await isTaken(mail.count({ ...HERE, address: `198.51.100.${stranger}` }));
  }
  for (let tries = 0; tries < 5; tries += 1) expect(await isTaken(ownMail.count(HERE))).toBe(true);
  expect(await isTaken(ownMail.count(HERE))).toBe(false);
});
