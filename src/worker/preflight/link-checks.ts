import { ClipmillError } from "#contract/errors.ts";
import { cooldownHostOf } from "#contract/sources/cooldowns.ts";
import { createSlots, type Slots } from "#ground/slots.ts";
import { type CheckedLink, keyOfCheck } from "./key-of-check.ts";

const MAX_AT_ONCE = 8;
/** Leaves slots for other hosts while one does not respond. */
const MAX_PER_HOST = 4;
/** Enough for two lists of 1,000 links. */
const MAX_UNFINISHED_PER_ACCOUNT = 2_000;
const MAX_KEPT = 3_000;
const ABANDONED_MS = 15_000;

export type LinkCheck<Result> = {
  /** Null until the check ends. */
  result: Result | null;
  /** Never rejects. */
  done: Promise<void>;
};

type Check<Result> = LinkCheck<Result> & {
  accounts: Set<string>;
  canceling: AbortController;
  askedAt: number;
  staleAt: number;
};

export type LinkChecks<Result> = {
  /**
   * Starts missing and stale checks. Throws ClipmillError "too_many", and starts none, above 2,000 unfinished ones per
   * account.
   */
  ask(links: readonly CheckedLink[], accountId: string): LinkCheck<Result>[];
  stop(): Promise<void>;
};

export type CheckLimits = { abandonedMs?: number; mostUnfinished?: number };

/** All metadata before any bytes: most rejections come with the metadata. */
const WAVES = { metadata: 0, bytes: 1 } as const;

export type CheckRun = {
  signal: AbortSignal;
  /** Waits for a slot of the link's host; dispose to release it. Only rejects on abort. */
  enterHost: (wave: keyof typeof WAVES) => Promise<Disposable>;
};

type Run<Result> = {
  check: (link: CheckedLink, run: CheckRun) => Promise<Result>;
  freshMsOf: (result: Result) => number;
};

/** Shares the checks among all callers, and cancels those that no call has requested for 15 s. */
export function createLinkChecks<Result>(
  { check: run, freshMsOf }: Run<Result>,
  { abandonedMs = ABANDONED_MS, mostUnfinished = MAX_UNFINISHED_PER_ACCOUNT }: CheckLimits = {},
): LinkChecks<Result> {
  /** Least recently requested first. */
  const checks = new Map<string, Check<Result>>();
  const all = createSlots(MAX_AT_ONCE);
  const hosts = new Map<string, { slots: Slots; users: number }>();

  const start = async (link: CheckedLink, signal: AbortSignal): Promise<Result> => {
    const name = cooldownHostOf(link) ?? link.host;
    const host = hosts.get(name) ?? { slots: createSlots(MAX_PER_HOST), users: 0 };
    hosts.set(name, host);
    host.users += 1;
    const enterHost: CheckRun["enterHost"] = async (wave) => {
      using places = new DisposableStack();
      places.defer(await host.slots.take(1, signal, WAVES[wave]));
      places.defer(await all.take(1, signal, WAVES[wave]));
      return places.move();
    };
    try {
      return await run(link, { signal, enterHost });
    } finally {
      host.users -= 1;
      if (host.users === 0) hosts.delete(name);
    }
  };

  const begin = (key: string, link: CheckedLink): Check<Result> => {
    const canceling = new AbortController();
    const finish = (result: Result): void => {
      check.result = result;
      check.staleAt = performance.now() + freshMsOf(result);
      check.accounts.clear();
    };
    const forget = (): void => void (checks.get(key) === check && checks.delete(key));
    const done = start(link, canceling.signal).then(finish, forget);
    const check: Check<Result> = {
      ...{ result: null, done, canceling, accounts: new Set<string>() },
      ...{ askedAt: performance.now(), staleAt: Number.POSITIVE_INFINITY },
    };
    return check;
  };

  const findFresh = (key: string): Check<Result> | undefined => {
    const check = checks.get(key);
    return check && check.staleAt > performance.now() && !check.canceling.signal.aborted ? check : undefined;
  };

  const requireRoom = (keys: readonly string[], accountId: string): void => {
    const unfinished = [...checks].filter(([, { accounts }]) => accounts.has(accountId)).map(([key]) => key);
    const asked = new Set([...unfinished, ...keys.filter((key) => !findFresh(key))]);
    if (asked.size > mostUnfinished) throw tooMany(mostUnfinished);
  };

  const sweep = setInterval(() => {
    const now = performance.now();
    for (const [key, { result, askedAt, staleAt, canceling }] of checks) {
      if (result === null && now - askedAt > abandonedMs) canceling.abort();
      if (result !== null && staleAt < now) checks.delete(key);
    }
  }, abandonedMs / 15).unref();

  return {
    ask(links, accountId) {
      const keyed = links.map((link) => ({ link, key: keyOfCheck(link) }));
      requireRoom(
        keyed.map(({ key }) => key),
        accountId,
      );
      return keyed.map(({ link, key }) => {
        const check = findFresh(key) ?? begin(key, link);
        checks.delete(key);
        checks.set(key, check);
        check.askedAt = performance.now();
        if (check.result === null) check.accounts.add(accountId);
        dropOldest(checks);
        return check;
      });
    },
    async stop() {
      clearInterval(sweep);
      const unfinished = [...checks.values()];
      for (const { canceling } of unfinished) canceling.abort();
      await Promise.all(unfinished.map(({ done }) => done));
    },
  };
}

function dropOldest(checks: Map<string, LinkCheck<unknown>>): void {
  let excess = checks.size - MAX_KEPT;
  for (const [key, { result }] of checks) {
    if (excess <= 0) return;
    if (result === null) continue;
    checks.delete(key);
    excess -= 1;
  }
}

function tooMany(most: number): ClipmillError {
  const sentence = `More than ${most.toLocaleString("en")} links are being checked for this account. Wait until some are finished.`;
  return new ClipmillError("too_many", sentence, { retryAfterSeconds: 5 });
}
