// OpenAI's Agents SDK for Python: https://openai.github.io/openai-agents-python/mcp/

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PYTHON = fileURLToPath(new URL('../../../../target/agents/bin/python', import.meta.url));
const SCRIPT = fileURLToPath(new URL('agents_sdk.py', import.meta.url));

const VERSION = 'from importlib.metadata import version; print(version("openai-agents"))';

export const agentsSdk = {
  binary: PYTHON,
  // The SDK's own default.
  model: 'gpt-5.6-luna',

  version: () => execFileSync(PYTHON, ['-c', VERSION], { encoding: 'utf8' }).trim(),

  start: ({ snippet, api, model, prompt }) => ({
    files: { 'snippet.py': snippet },
    environment: {
      OPENAI_AGENTS_DISABLE_TRACING: '1',
      OPENAI_API_KEY: 'none',
      OPENAI_BASE_URL: `${api}/v1`,
      OPENAI_DEFAULT_MODEL: model,
      PYTHONDONTWRITEBYTECODE: '1',
    },
    arguments: [SCRIPT, 'snippet.py', prompt],
  }),
};
