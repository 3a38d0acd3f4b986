// Runs cases of `step_cases.py` (a JSON file named on the command line) against the built client: complaints on stdout,
// one a line, and exit code 1 if there are any.
import { readFileSync } from 'node:fs';
import * as model from '../../frontend/dist/client/draftsmith-client.js';
import { complaintsAbout } from './step-checks.mjs';

const cases = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const complaints = cases.flatMap((testCase) => complaintsAbout(model, testCase));
for (const complaint of complaints) console.log(complaint);
process.exitCode = complaints.length > 0 ? 1 : 0;
