// Codex: https://developers.openai.com/codex/config-reference

export const codex = {
  package: '@openai/codex',
  binary: 'codex',
  model: 'gpt-6.1-sol',

  start: ({ mcp, api, model, prompt, server }) => ({
    files: {
      // JSON's strings are TOML's.
      '.codex/config.toml': `
        check_for_update_on_startup = false
        model = ${JSON.stringify(model)}
        model_provider = "script"

        [model_providers.script]
        name = "script"
        base_url = ${JSON.stringify(`${api}/v1`)}
        env_key = "SCRIPT_KEY"
        wire_api = "responses"

        [mcp_servers.${server}]
        url = ${JSON.stringify(mcp)}
        default_tools_approval_mode = "approve"

        [analytics]
        enabled = false
      `,
    },
    environment: { SCRIPT_KEY: 'none' },
    arguments: ['exec', '--skip-git-repo-check', '--sandbox', 'read-only', prompt],
  }),
};
