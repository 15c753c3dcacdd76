import type { DocPages } from './settings.ts'

/** A folder of Markdown files. */
interface PageFolder {
  names(): Promise<readonly string[]>
  read(names: readonly string[]): Promise<Uint8Array[]>
}

/** The Markdown files of a folder, by their names without the extension. */
export function createDocPages(folder: PageFolder): DocPages {
  const names = async () => {
    const files = await folder.names().catch(() => [])
    return files.flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : [])).toSorted()
  }
  return {
    names,
    async read(name) {
      // Only a name that is in the list can open a file.
      if (!(await names()).includes(name)) return null
      const [bytes] = await folder.read([`${name}.md`])
      return new TextDecoder().decode(bytes)
    },
  }
}
