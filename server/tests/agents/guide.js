// What the guide of a server says about one program.

/** Its heading there, and the language of the snippet that is used. */
const PLACES = {
  claude: ['Claude Code', 'json'],
  codex: ['Codex', 'toml'],
  gemini: ['Gemini CLI', 'json'],
  opencode: ['opencode', 'json'],
  'agents-sdk': ['OpenAI Agents SDK', 'python'],
};

/** The snippet by which this program is set up, from the guide as Markdown. */
export async function snippetFor(program, mcp) {
  const guide = await fetch(new URL('/docs/mcp.md', mcp));
  const [heading, language] = PLACES[program];
  const sections = (await guide.text()).split(/^## /m);
  const section = sections.find((it) => it.startsWith(`${heading}\n`));
  const block = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(section ?? '');
  if (!block) throw new Error(`the guide has no ${language} for ${heading}`);
  return block[1];
}
