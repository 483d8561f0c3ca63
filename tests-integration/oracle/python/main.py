"""Random cases for `pnpm oracle`, with answers from PyTorch, NumPy and SciPy: python main.py --seed 1 --rounds 3 --out FOLDER."""
import argparse

import torch

from arrangements import arrangements
from cases import Cases
from elementwise import elementwise, special_values
from matrices import decompositions, einsum, functions


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--rounds', type=int, default=3, help='about 900 cases each')
    parser.add_argument('--out', required=True, help='a folder: AREA.jsonl is written there for each area')
    options = parser.parse_args()
    torch.set_num_threads(1)
    cases = Cases(options.seed)
    special_values(cases)
    for at in range(options.rounds):
        print(f'\rround {at + 1} of {options.rounds}', end='', flush=True)
        elementwise(cases)
        for _ in range(4):
            arrangements(cases)
        functions(cases)
        decompositions(cases)
        for _ in range(40):
            einsum(cases)
    cases.write(options.out)
    print(f'\r{len(cases.cases)} cases in {options.out}')
    for op, reason in cases.left_out:
        print(f'left out: {op}: {reason}')


if __name__ == '__main__':
    main()
