// From the Fortran of LAPACK to C: which files routines need, what f2c does not read, and f2c itself.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folders = ['SRC', 'BLAS/SRC', 'INSTALL'];
/** Programs, and variants of what is there otherwise. */
const apart = /tst|second|secnd|^test_|f77|^la_/;

/** Path by name of a routine, which is also the name of its file. */
export const routinesOf = (source) => {
  const files = folders.flatMap((folder) => readdirSync(join(source, folder)).map((name) => [name, join(source, folder, name)]));
  const routines = files.map(([name, path]) => [/^(\w+)\.f$/.exec(name)?.[1], path]);
  return new Map(routines.filter(([name]) => name !== undefined && !apart.test(name)));
};

const isComment = (line) => /^[*cC!]/.test(line);

const namesIn = (text) => {
  const code = text.split('\n').filter((line) => !isComment(line)).join('\n');
  return new Set(code.toLowerCase().replace(/'[^'\n]*'/g, '').match(/[a-z]\w*/g));
};

/** The routines and all that they need, in alphabetical order; without what is written in C, and what only that or an unreached one needs. */
export const closureOf = (routines, roots, ours, unreached) => {
  const found = new Set();
  const open = [...roots];
  for (const name of open) {
    if (found.has(name) || ours.has(name)) continue;
    const path = routines.get(name);
    if (path === undefined) throw new Error(`LAPACK has no ${name}.f, and c/ has no ${name}_`);
    found.add(name);
    if (unreached.has(name)) continue;
    open.push(...[...namesIn(readFileSync(path, 'utf8'))].filter((word) => word !== name && (routines.has(word) || ours.has(word))));
  }
  return [...found].sort();
};

/** `EXIT` and `CYCLE` leave a `DO`: a jump behind its end, or to it. A loop may end at a label of its own, which serves as the end. */
const withoutExits = (text) => {
  const lines = [];
  const loops = [];
  let label = 90000;
  for (const line of text.split('\n')) {
    const code = isComment(line) ? '' : line.slice(6).trim().toUpperCase();
    const begun = /^DO\s+(?:(\d+)\s+\w+\s*=|WHILE\b|\w+\s*=)/.exec(code);
    if (begun !== null) loops.push({ end: begun[1], CYCLE: begun[1] });
    const left = /(?:^|\W)(EXIT|CYCLE)$/.exec(code)?.[1];
    const own = isComment(line) ? undefined : /^\s*(\d+)\s/.exec(line.slice(0, 6))?.[1];
    const ended = (own !== undefined && loops.at(-1)?.end === own) || /^END\s*DO$/.test(code) ? loops.pop() : undefined;
    if (left !== undefined) lines.push(line.replace(/(EXIT|CYCLE)\s*$/i, `GO TO ${(loops.at(-1)[left] ??= String(++label))}`));
    else if (ended === undefined || ended.end !== undefined) lines.push(line);
    else lines.push(...labelled(ended.CYCLE), line);
    if (ended !== undefined) lines.push(...labelled(ended.EXIT));
  }
  return lines.join('\n');
};

const labelled = (label) => (label === undefined ? [] : [`${label} CONTINUE`]);

/** What f2c does not read: Fortran 90's RECURSIVE (all locals are automatic anyway), EXIT, CYCLE, and AIMAG of double precision. */
export const editedFortran = (name, text) => {
  const sequential = /\b(EXIT|CYCLE)\s*$/im.test(text) ? withoutExits(text) : text;
  const plain = sequential.replace(/^(\s+)RECURSIVE\s+/gim, '$1');
  return name.startsWith('z') ? plain.replace(/\bAIMAG\b/g, 'DIMAG') : plain;
};

/** C of every routine in `into`, in one run of f2c; the texts by name. */
export const translate = (f2c, routines, names, unreached, into) => {
  mkdirSync(into, { recursive: true });
  for (const name of names) writeFileSync(join(into, `${name}.f`), editedFortran(name, readFileSync(routines.get(name), 'latin1')));
  const { status, stderr } = spawnSync(f2c.path, ['-a', '-A', '-R', ...names.map((name) => `${name}.f`)], { cwd: into, encoding: 'utf8', env: f2c.env });
  const missing = names.filter((name) => !existsSync(join(into, `${name}.c`)));
  if (status !== 0 || missing.length > 0) throw new Error(`f2c: ${missing.join(', ')}\n${stderr}`);
  return new Map(names.map((name) => {
    const text = trimmed(readFileSync(join(into, `${name}.c`), 'utf8'));
    return [name, unreached.has(name) ? trapping(name, text) : vectorised(name, text)];
  }));
};

/**
 * What clang does not do in vectors, for C keeps the order of sums: those over poles in laed4 and lasd4, with their derivatives or (first
 * guesses) without, are taken by c/secular.h; and laed3 divides before it permutes.
 */
const poles = String.raw`\(?(\w+\[j\](?: \* \w+\[j\])?)\)?`;
const overPoles = String.raw`for \(j = (\S+); j (<=|>=) i__1; (?:\+\+|--)j\) \{\s*`;
const wholeLoop = new RegExp(String.raw`${overPoles}temp = z__\[j\] / ${poles};\s*(\w+) \+= z__\[j\] \* temp;\s*(\w+) \+= temp \* temp;\s*erretm \+= \4;\s*\}`, 'g');
const guessLoop = new RegExp(String.raw`${overPoles}(psi|phi) \+= z__\[j\] \* z__\[j\] / ${poles};\s*\}`, 'g');

/** A routine's text with so many loops over poles as calls. */
const withPoles = (name, text, loops) => {
  const [letter] = name;
  const type = letter === 'd' ? 'doublereal' : 'real';
  let found = 0;
  const call = (start, direction, given, value, slope, error) => {
    found++;
    const [delta, work] = given.split(' * ').map((factor) => `&${factor.replace('[j]', '[1]')}`);
    const [first, last, isUp] = direction === '<=' ? [start, 'i__1', 1] : ['i__1', start, 0];
    return `{ ${type} unused = 0; (void)unused; ${letter}poles_(${first}, ${last}, ${isUp}, &z__[1], ${delta}, ${work ?? 0}, &${value}, &${slope}, &${error}); }`;
  };
  const edited = text
    .replace(wholeLoop, (_loop, start, direction, given, value, slope) => call(start, direction, given, value, slope, 'erretm'))
    .replace(guessLoop, (_loop, start, direction, value, given) => call(start, direction, given, value, 'unused', 'unused'));
  if (found !== loops) throw new Error(`${name}: ${found} of ${loops} loops over poles`);
  return edited.replace(/^#include .*\n/, (line) => `${line}extern int ${letter}poles_(integer, integer, int, ${Array(6).fill(`${type} *`).join(', ')});\n`);
};

const divided = (name, text) => {
  const edited = text.replace(/(temp = .nrm2_\(k, &s\[1\], &c__1\);)(\s*i__2 = \*k;\s*)(for [^{]*\{\s*ii = indx\[i__\];\s*\S+ \+ j \* q_dim1\] = s\[ii\]) \/ temp;/, '$1$2for (i__ = 1; i__ <= i__2; ++i__) s[i__] /= temp;\n\t$3;');
  if (edited === text) throw new Error(`${name}: no division by the norm`);
  return edited;
};

const vectorised = (name, text) => {
  if (/^[ds]la(ed|sd)4$/.test(name)) return withPoles(name, text, 12);
  return /^[ds]laed3$/.test(name) ? divided(name, text) : text;
};

/** Without comments, and without declarations of what c/f2c.h defines. */
const trimmed = (text) =>
  text.replace(/\/\* Builtin functions \*\/[^]*?;\n\n/g, '\n').replace(/\/\*[^]*?\*\//g, '').replace(/^\s*\n/gm, '');

/** The routine's head, and nothing behind it. */
const trapping = (name, text) => {
  const head = new RegExp(`^(?:\\s*int|VOID) ${name}_\\([^)]*\\)`, 'm').exec(text)?.[0];
  if (head === undefined) throw new Error(`f2c: no head of ${name}_`);
  return `#include "f2c.h"\n${head}\n{\n    __builtin_trap();\n}\n`;
};
