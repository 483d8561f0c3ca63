import { runCommand } from './command.ts';
import { ownSources, peerSources } from './contenders.ts';
import { usualTiming } from './measure.ts';
import { installPeers } from './peers.ts';
import { readmePath, resultsFolder } from './places.ts';
import { workloads } from './workloads.ts';

process.exitCode = await runCommand(process.argv.slice(2), {
  own: ownSources,
  peers: peerSources,
  workloads,
  timing: usualTiming,
  install: installPeers,
  readmePath,
  resultsFolder,
  print: (text) => console.log(text),
  complain: (text) => console.error(text),
  progress: process.stderr,
});
