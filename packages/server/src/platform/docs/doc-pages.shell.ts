import type { ReferenceDocument } from '@overture/contract/document/reference/document.ts'
import { referencePages } from '@overture/contract/document/reference/pages.ts'
import { assets } from '../assets.shell.ts'
import { docPageOf, llmsText, type DocPage } from './doc-pages.ts'

export interface Documentation {
  /** Null: there is no such page. */
  page(name: string): Promise<string | null>
  pages(): Promise<DocPage[]>
  llms(): Promise<string>
}

/** The pages that come with the code, read once, and the reference written from the document: they are those of this version. */
export function createDocumentation(document: () => object): Documentation {
  let reading: Promise<ReadonlyMap<string, string>> | null = null
  const texts = () => (reading ??= readPages(document))
  const pages = async () => [...(await texts())].map(([name, text]) => docPageOf(name, text))
  return { page: async (name) => (await texts()).get(name) ?? null, pages, llms: async () => llmsText(await pages()) }
}

async function readPages(document: () => object): Promise<ReadonlyMap<string, string>> {
  const files = (await assets.docs.names().catch(() => [])).filter((file) => file.endsWith('.md')).toSorted()
  const texts = await assets.docs.read(files)
  const written = files.map((file, index) => [file.slice(0, -'.md'.length), texts[index]!.toString('utf8')] as const)
  const reference = [...referencePages(document() as ReferenceDocument)]
  return new Map([...written, ...reference.map(([name, text]) => [`reference/${name}`, text] as const)])
}
