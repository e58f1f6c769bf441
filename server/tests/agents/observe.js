// Has an agent's program call our tool, and prints as JSON what reaches its model:
//
//   node observe.js PROGRAM URL ARGUMENTS [--model NAME] [--bodies FILE]
//
// PROGRAM is one of `programs/`, URL that of the MCP server, whose guide says how the program is set up, ARGUMENTS
// those of the tool as JSON. The model is our own server (`model.js`). `--model` names another model to the program,
// which may treat it differently; `--bodies` saves every request body of the program.
//
// In the output `turns` lists the model's actions: a `search` for the tool, a `call` of it, a `script` that calls it,
// or a `text`. `contents.js` documents the rest.

import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { summarize } from './contents.js';
import { snippetFor } from './guide.js';
import { startModel } from './model.js';
import { agentsSdk } from './programs/agents-sdk.js';
import { claude } from './programs/claude.js';
import { codex } from './programs/codex.js';
import { gemini } from './programs/gemini.js';
import { opencode } from './programs/opencode.js';
import { runProgram } from './run.js';

const PROGRAMS = { claude, codex, gemini, opencode, 'agents-sdk': agentsSdk };

const SERVER = 'vidence';
const TOOL = 'get_video_evidence';
const PROMPT = 'Get the video evidence.';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { model: { type: 'string' }, bodies: { type: 'string' } },
});
const [name, mcp, args] = positionals;
const program = PROGRAMS[name];
if (!program || !mcp || !args) {
  throw new Error(`usage: node observe.js ${Object.keys(PROGRAMS).join('|')} URL ARGUMENTS`);
}

const model = await startModel({ server: SERVER, tool: TOOL, args: JSON.parse(args) });
const ended = await runProgram(
  program,
  program.start({
    snippet: await snippetFor(name, mcp),
    api: model.url,
    model: values.model ?? program.model,
    prompt: PROMPT,
    server: SERVER,
    tool: TOOL,
  }),
).finally(() => model.stop());

const { requests } = model;
if (values.bodies) {
  const bodies = requests.map(({ path, bytes, body, turn }) => ({ path, bytes, body, turn }));
  await writeFile(values.bodies, JSON.stringify(bodies, undefined, 2));
}
// The program's own output says best why it failed.
const output = `\n${ended.output}`;
if (requests.length === 0) throw new Error(`${name} never asked its model${output}`);
const result = requests.find(({ dialect, body }) => dialect.afterCall(body) !== undefined);
if (!result) throw new Error(`${name} never told its model what the tool returned${output}`);
if (ended.status !== 0) throw new Error(`${name} ended with ${ended.status}${output}`);

const { dialect, body, bytes } = result;
const turns = requests.map(({ turn }) => turn);
const { call, script } = turns.find((turn) => turn.call ?? turn.script);
console.log(
  JSON.stringify({
    client: name,
    version: await versionOf(program),
    model: values.model ?? program.model,
    tool: (call ?? script).name,
    turns: turns.flatMap((turn) => Object.keys(turn)),
    ...summarize(dialect.afterCall(body)),
    request_bytes: bytes,
  }),
);

async function versionOf(it) {
  if (it.version) return it.version();
  const file = new URL(`node_modules/${it.package}/package.json`, import.meta.url);
  return JSON.parse(await readFile(file)).version;
}
