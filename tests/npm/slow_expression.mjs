// Two expressions that are equivalent, with a proof that takes minutes.

/** The pigeonhole principle: each of the pigeons has a hole, and no two have the same one. No request satisfies it. */
export function slowExpression(holes = 10) {
  const range = (length) => [...Array(length).keys()];
  const isIn = (pigeon, hole) => `http.request.headers["p${pigeon}h${hole}"][0] eq "1"`;
  const pigeons = range(holes + 1).map((pigeon) => `(${range(holes).map((hole) => isIn(pigeon, hole)).join(" or ")})`);
  const pairs = range(holes + 1).flatMap((first) => range(first).map((second) => [first, second]));
  const conflicts = range(holes).flatMap((hole) => pairs.map(([first, second]) => `not (${isIn(first, hole)} and ${isIn(second, hole)})`));
  return [[...pigeons, ...conflicts].join(" and "), "ssl and not ssl", { steps: 1e15, maxLength: 1e6 }];
}
