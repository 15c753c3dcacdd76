import type { DocPages } from './settings.ts'

/** Where Markdown files lie. */
interface PageFolder {
  names(): Promise<readonly string[]>
  read(names: readonly string[]): Promise<Uint8Array[]>
}

/** The Markdown files of a folder, by their names without the ending. */
export function docPagesOf(folder: PageFolder): DocPages {
  const names = async () => {
    const files = await folder.names().catch(() => [])
    return files.flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : [])).toSorted()
  }
  return {
    names,
    async read(name) {
      // Nothing but a name that is listed leads to a file.
      if (!(await names()).includes(name)) return null
      const [bytes] = await folder.read([`${name}.md`])
      return new TextDecoder().decode(bytes)
    },
  }
}
