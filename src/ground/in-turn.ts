/** Runs `act` after all earlier calls have settled. Rejects as `act` does. */
export type InTurn = <Result>(act: () => Promise<Result>) => Promise<Result>;

/** Returns a function that runs what it is given one at a time, in order. */
export function createTurns(): InTurn {
  let turn: Promise<unknown> = Promise.resolve();
  return (act) => {
    const done = turn.then(act);
    turn = done.catch(() => {});
    return done;
  };
}
