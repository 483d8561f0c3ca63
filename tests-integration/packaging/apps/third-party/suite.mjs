// The laws of an extension under Node's own test runner, by packages alone.
import { describe, it } from 'node:test';
import { logcoshExtension } from '@acme/tf-logcosh';
import { logcoshCases } from '@acme/tf-logcosh/cases';
import { extensionSuite } from '@tf/testkit';

extensionSuite({ describe, it }, { extension: logcoshExtension, cases: logcoshCases });
