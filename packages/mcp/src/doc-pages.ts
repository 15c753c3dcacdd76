import { readdir, readFile } from 'node:fs/promises'
import type { DocPages } from './settings.ts'

/** The Markdown files of a folder, by their names without the ending. */
export function docPagesOf(folder: URL): DocPages {
  const names = async () => {
    const files = await readdir(folder).catch(() => [])
    return files.flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : [])).toSorted()
  }
  return {
    names,
    async read(name) {
      // Nothing but a name that is listed leads to a file.
      return (await names()).includes(name) ? readFile(new URL(`${name}.md`, folder), 'utf8') : null
    },
  }
}

/** What the repository says about itself. */
export const ownDocs = docPagesOf(new URL('../../../docs/', import.meta.url))
