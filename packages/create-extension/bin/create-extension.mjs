#!/usr/bin/env node
import { main } from '@tf/create-extension';

process.exitCode = main(process.argv.slice(2), process.cwd(), console);
