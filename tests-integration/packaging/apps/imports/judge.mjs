// What importing entries changes outside them, and whether modules and CommonJS have the same names. There is no network.
import { Socket } from 'node:net';

const outside = () => Reflect.ownKeys(globalThis).map(String).sort();
const namesOf = (module) => Object.keys(module).filter((key) => key !== 'default' && key !== 'module.exports' && key !== '__esModule').sort();

const load = async (name, ways, faults) => {
  const found = {};
  for (const [how, way] of Object.entries(ways)) {
    try {
      found[how] = namesOf(await way());
      if (found[how].length === 0) faults.push(`${name}: ${how} gives nothing`);
    } catch (error) {
      faults.push(`${name}: ${how}: ${error.message.split('\n')[0]}`);
    }
  }
  if (String(found.import) !== String(found.require)) faults.push(`${name}: import and require give different names`);
};

/** `entries`: by name, each way to load it. */
export const judge = async (entries) => {
  const faults = [];
  const reached = [];
  Socket.prototype.connect = (...args) => void reached.push(JSON.stringify(args[0]));
  globalThis.fetch = async (what) => void reached.push(String(what));
  const before = outside();
  for (const [name, ways] of Object.entries(entries)) await load(name, ways, faults);
  const added = outside().filter((key) => !before.includes(key));
  if (added.length > 0) faults.push(`imports add to globalThis: ${added.join(', ')}`);
  if (reached.length > 0) faults.push(`imports reach for the network: ${reached.join(', ')}`);
  const open = process.getActiveResourcesInfo?.().filter((kind) => !/^(TTYWrap|PipeWrap|FSReq|Immediate|CloseReq)/.test(kind)) ?? [];
  if (open.length > 0) faults.push(`imports leave open: ${open.join(', ')}`);
  console.log(JSON.stringify({ entries: Object.keys(entries).length, faults }));
};
