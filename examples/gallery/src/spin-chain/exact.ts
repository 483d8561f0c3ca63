/** The same chain solved in other ways. */

/**
 * The ground-state energy by free fermions (Lieb, Schultz and Mattis, Ann. Phys. 16, 407 (1961); Pfeuty, Ann. Phys. 57, 79 (1970)): minus the sum of the
 * singular values of the matrix with g on its diagonal and 1 beside it, the roots of the eigenvalues of a tridiagonal matrix.
 */
export function freeFermionEnergy(sites: number, field: number): number {
  const diagonal = Array.from({ length: sites }, (_, at) => field ** 2 + (at === 0 ? 0 : 1));
  let total = 0;
  for (let index = 0; index < sites; index++) total -= Math.sqrt(Math.max(0, eigenvalue(diagonal, field, index)));
  return total;
}

/** −dE/dg of the same formula, by differences extrapolated once. */
export function freeFermionMagnetisation(sites: number, field: number): number {
  const difference = (h: number): number => (freeFermionEnergy(sites, field - h) - freeFermionEnergy(sites, field + h)) / (2 * h);
  return (4 * difference(5e-4) - difference(1e-3)) / 3;
}

/** The eigenvalue with so many below it, by bisection: the signs of the pivots of T − x count how many eigenvalues are below x. */
function eigenvalue(diagonal: readonly number[], beside: number, index: number): number {
  let [low, high] = [0, (Math.abs(beside) + 1) ** 2 + 1];
  for (let halving = 0; halving < 100; halving++) {
    const middle = (low + high) / 2;
    let [below, pivot] = [0, 1];
    diagonal.forEach((value, at) => {
      pivot = value - middle - (at === 0 ? 0 : beside ** 2 / pivot);
      if (pivot === 0) pivot = -1e-300;
      if (pivot < 0) below++;
    });
    if (below > index) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}

/** The whole Hamiltonian as a matrix of 2^sites rows, row-major: bit i of a row is spin i, 0 being up. */
export function fullHamiltonian(sites: number, field: number): Float64Array {
  const states = 2 ** sites;
  const matrix = new Float64Array(states * states);
  for (let state = 0; state < states; state++) {
    for (let site = 0; site < sites; site++) {
      matrix[state * states + state]! -= field * ((state >> site) & 1 ? -1 : 1);
      if (site + 1 < sites) matrix[state * states + (state ^ (3 << site))]! -= 1;
    }
  }
  return matrix;
}
