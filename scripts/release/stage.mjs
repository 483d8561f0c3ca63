// A release tried out: in a copy of the workspace and with a registry of this machine's own (tests-integration/packaging).
//   node scripts/release/stage.mjs copy INTO                              what git has and what was built
//   node scripts/release/stage.mjs raise WORKSPACE                        versions as its changesets say, and the code that says them; committed
//   node scripts/release/stage.mjs publish WORKSPACE REGISTRY USERCONFIG  what the registry does not have
// Each prints what it did as JSON.
import { join } from 'node:path';
import { rewriteBuilt } from './pack.mjs';
import { publishNew } from './publish.mjs';
import { raiseVersions } from './version.mjs';
import { commitAll, copyWorkspace, published } from './workspace.mjs';

const commands = {
  copy: (into) => {
    copyWorkspace(into);
    return published(into).map(({ name }) => name);
  },
  raise: (workspace) => {
    const { raised, rewritten } = raiseVersions(workspace);
    for (const folder of rewritten) rewriteBuilt(join(workspace, folder));
    commitAll(workspace, 'Versions');
    return raised.map(({ name, from, to }) => ({ name, from, to }));
  },
  publish: (workspace, registry, userconfig) => publishNew(workspace, registry, userconfig),
};

const [command, ...args] = process.argv.slice(2);
console.log(JSON.stringify(commands[command](...args)));
