// Codex: https://developers.openai.com/codex/config-reference

export const codex = {
  package: '@openai/codex',
  binary: 'codex',
  model: 'gpt-6.1-sol',

  start: ({ snippet, api, model, prompt }) => ({
    files: {
      // JSON strings are valid TOML strings.
      '.codex/config.toml': `
        check_for_update_on_startup = false
        model = ${JSON.stringify(model)}
        model_provider = "script"

        [model_providers.script]
        name = "script"
        base_url = ${JSON.stringify(`${api}/v1`)}
        env_key = "SCRIPT_KEY"
        wire_api = "responses"

        [analytics]
        enabled = false

        ${snippet}
        default_tools_approval_mode = "approve"
      `,
    },
    environment: { SCRIPT_KEY: 'none' },
    arguments: ['exec', '--skip-git-repo-check', '--sandbox', 'read-only', prompt],
  }),
};
