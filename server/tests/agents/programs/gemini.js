// Gemini CLI: https://geminicli.com/docs/reference/configuration

export const gemini = {
  package: '@google/gemini-cli',
  binary: 'gemini',
  model: 'gemini-3.8-flash',

  start: ({ snippet, api, model, prompt, server }) => ({
    files: {
      '.gemini/settings.json': JSON.stringify({
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        mcpServers: { [server]: { ...JSON.parse(snippet).mcpServers[server], trust: true } },
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      }),
    },
    environment: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: api },
    arguments: ['--model', model, '--prompt', prompt],
  }),
};
