import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../../../..')

export interface Fence {
  /** The page's path in the repository. */
  page: string
  /** The line number of the first line. */
  line: number
  language: string
  code: string
}

/** The pages for users of Overture: docs/, and the READMEs of published packages. */
export function pages(): string[] {
  const docs = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'))
  const decisions = readdirSync(join(root, 'docs/decisions')).filter((file) => file.endsWith('.md'))
  const readmes = ['README.md', 'packages/sdk/README.md', 'integrations/n8n/README.md', 'examples/README.md']
  return [...readmes, ...docs.map((file) => `docs/${file}`), ...decisions.map((file) => `docs/decisions/${file}`)]
}

export function readFences(page: string, text = readFileSync(join(root, page), 'utf8')): Fence[] {
  const fences: Fence[] = []
  let open: Fence | null = null
  for (const [index, line] of text.split('\n').entries()) {
    const mark = /^ *```(.*)$/.exec(line)
    if (mark === null) {
      if (open !== null) open.code += `${line}\n`
    } else if (open === null) {
      open = { page, line: index + 1, language: mark[1]!.trim().split(' ')[0]!, code: '' }
    } else {
      fences.push(open)
      open = null
    }
  }
  if (open !== null) throw new Error(`${page}:${open.line}: the fence is never closed`)
  return fences
}
