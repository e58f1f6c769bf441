// Configuration snippets from the server's own guide.

/** Heading of the program's section, and the language of its snippet. */
const SNIPPETS = {
  claude: ['Claude Code', 'json'],
  codex: ['Codex', 'toml'],
  gemini: ['Gemini CLI', 'json'],
  opencode: ['opencode', 'json'],
  'agents-sdk': ['OpenAI Agents SDK', 'python'],
};

/** The program's configuration snippet, from the guide in Markdown. */
export async function snippetFor(program, mcp) {
  const guide = await fetch(new URL('/docs/mcp.md', mcp));
  const [heading, language] = SNIPPETS[program];
  const sections = (await guide.text()).split(/^#{2,3} /m);
  const section = sections.find((it) => it.startsWith(`${heading}\n`));
  const block = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(section ?? '');
  if (!block) throw new Error(`the guide has no ${language} for ${heading}`);
  return block[1];
}
