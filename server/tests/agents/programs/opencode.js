// opencode: https://opencode.ai/docs/config

const PROVIDER = 'script';

export const opencode = {
  package: 'opencode-ai',
  binary: 'opencode',
  model: 'script',

  start: ({ snippet, api, model, prompt, server }) => ({
    files: {
      '.config/opencode/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        permission: 'allow',
        mcp: { [server]: { ...JSON.parse(snippet).mcp[server], oauth: false } },
        provider: {
          [PROVIDER]: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${api}/v1`, apiKey: 'none' },
            // opencode passes pictures only to models that declare support for them.
            models: {
              [model]: {
                attachment: true,
                tool_call: true,
                modalities: { input: ['text', 'image'], output: ['text'] },
                limit: { context: 1_000_000, output: 10_000 },
              },
            },
          },
        },
      }),
    },
    environment: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    },
    arguments: ['run', '--model', `${PROVIDER}/${model}`, prompt],
  }),
};
