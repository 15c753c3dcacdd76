import { readFileSync } from 'node:fs'

/**
 * Compares the first TypeScript example of a README with the test that runs it. Returns the example's blocks, which blank lines
 * separate, and those that the test does not contain line by line. Indentation doesn't count.
 */
export function readmeExample(readme: URL, test: URL): { blocks: string[]; missing: string[] } {
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readFileSync(readme, 'utf8')) ?? []
  const blocks = trimmed(example).split(/\n\n+/)
  const text = trimmed(readFileSync(test, 'utf8'))
  return { blocks, missing: blocks.filter((block) => !text.includes(block)) }
}

function trimmed(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim()
}
