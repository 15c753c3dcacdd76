import { readdir, readFile } from 'node:fs/promises'
import { docPageOf, llmsText } from './doc-pages.ts'

const folder = new URL('../../../../../docs/', import.meta.url)

export interface Documentation {
  /** Null: there is no such page. */
  page(name: string): Promise<string | null>
  llms(): Promise<string>
}

/** The pages that lie beside the code, read once: they are those of this version. */
export function createDocumentation(): Documentation {
  let reading: Promise<ReadonlyMap<string, string>> | null = null
  const pages = () => (reading ??= readPages())
  return {
    page: async (name) => (await pages()).get(name) ?? null,
    llms: async () => llmsText([...(await pages())].map(([name, text]) => docPageOf(name, text))),
  }
}

async function readPages(): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.md')).toSorted()
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')))
  return new Map(files.map((file, index) => [file.slice(0, -'.md'.length), texts[index]!]))
}
