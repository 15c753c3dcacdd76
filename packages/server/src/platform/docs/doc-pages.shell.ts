import { readdir, readFile } from 'node:fs/promises'
import type { ReferenceDocument } from '@overture/contract/document/reference/document.ts'
import { referencePages } from '@overture/contract/document/reference/pages.ts'
import { docPageOf, llmsText, type DocPage } from './doc-pages.ts'

const folder = new URL('../../../../../docs/', import.meta.url)

export interface Documentation {
  /** Null: there is no such page. */
  page(name: string): Promise<string | null>
  pages(): Promise<DocPage[]>
  llms(): Promise<string>
}

/** The pages that lie beside the code, read once, and the reference written from the document: they are those of this version. */
export function createDocumentation(document: () => object): Documentation {
  let reading: Promise<ReadonlyMap<string, string>> | null = null
  const texts = () => (reading ??= readPages(document))
  const pages = async () => [...(await texts())].map(([name, text]) => docPageOf(name, text))
  return { page: async (name) => (await texts()).get(name) ?? null, pages, llms: async () => llmsText(await pages()) }
}

async function readPages(document: () => object): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.md')).toSorted()
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')))
  const written = files.map((file, index) => [file.slice(0, -'.md'.length), texts[index]!] as const)
  const reference = [...referencePages(document() as ReferenceDocument)]
  return new Map([...written, ...reference.map(([name, text]) => [`reference/${name}`, text] as const)])
}
