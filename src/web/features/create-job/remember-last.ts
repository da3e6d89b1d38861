/**
 * The same function, which gives its last result again while its argument stays the same. A form is read whole at every
 * stroke; 10,000 captions or 500 links need not be read again because the job's name has changed.
 */
export function rememberLast<Argument extends string, Result>(
  work: (argument: Argument) => Result,
): (argument: Argument) => Result {
  let last: { argument: Argument; result: Result } | null = null;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, result: work(argument) };
    return last.result;
  };
}
