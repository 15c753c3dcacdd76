/** A page of the documentation, read from its file. */
export interface DocPage {
  /** The file name without its extension. */
  name: string
  title: string
  /** The beginning of its first paragraph. */
  summary: string
}

const summaryCharactersMax = 300

/**
 * Reads title and summary of a Markdown file: its heading, and the first sentence of its first paragraph, if a paragraph follows
 * the heading.
 */
export function parseDocPage(name: string, markdown: string): DocPage {
  const [heading = '', ...blocks] = markdown.split(/\r?\n\s*\r?\n/)
  const isParagraph = (block: string) => /^[^#|`<>\s-]/.test(block) || /^`[^`]/.test(block)
  const first = blocks.length > 0 && isParagraph(blocks[0]!) ? blocks[0]!.replaceAll(/\s+/g, ' ') : ''
  const sentence = /^.+?[.:](?=\s|$)/.exec(first)?.[0] ?? first
  return {
    name,
    title: heading.replace(/^#+\s*/, '').trim() || name,
    summary: sentence.replace(/:$/, '.').slice(0, summaryCharactersMax).toWellFormed(),
  }
}

/** The list of pages for language models: https://llmstxt.org. */
export function llmsText(pages: readonly DocPage[]): string {
  return [
    '# Overture',
    '',
    '> Self-hostable outbound email campaigns that never send twice and always say why. An HTTP/JSON API under `/v2`, with a test',
    '> environment that has its own clock.',
    '',
    'The OpenAPI document describes every operation with its fields and errors. Use a key that starts with `ovt_test_` to try anything:',
    'nothing done with it reaches a mail server.',
    '',
    '## API',
    '',
    '- [OpenAPI 3.1](/openapi.json): every path, field, error and webhook',
    '- [OpenAPI 3.0](/openapi-3.0.json): the same for tools without support for 3.1',
    '- [Try it in a browser](/docs/api): every operation, with a test key',
    '',
    '## Documentation',
    '',
    ...pages.map(({ name, title, summary }) => `- [${title}](/docs/${name}.md)${summary === '' ? '' : `: ${summary}`}`),
    '',
  ].join('\n')
}
