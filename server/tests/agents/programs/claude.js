// Claude Code: https://code.claude.com/docs/en/settings

export const claude = {
  package: '@anthropic-ai/claude-code',
  binary: 'claude',
  model: 'claude-sonnet-5-5',

  start: ({ snippet, api, model, prompt, server, tool }) => ({
    files: {
      'mcp.json': snippet,
    },
    environment: {
      ANTHROPIC_BASE_URL: api,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    arguments: [
      ['--print', prompt],
      ['--model', model],
      ['--mcp-config', 'mcp.json', '--strict-mcp-config'],
      ['--allowedTools', `mcp__${server}__${tool}`],
    ].flat(),
  }),
};
