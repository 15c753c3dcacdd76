import type { ReferenceDocument } from '@overture/contract/document/reference/document.ts'
import { referencePages } from '@overture/contract/document/reference/pages.ts'
import { assets } from '../assets.shell.ts'
import { parseDocPage, llmsText, type DocPage } from './doc-pages.ts'

const referenceFolder = 'reference/'

export interface Documentation {
  /** Null if there is no such page. */
  page(name: string): Promise<string | null>
  pages(): Promise<DocPage[]>
  llms(): Promise<string>
}

/**
 * The documentation of this version: the pages that come with the code, and the reference generated from the API document. Each
 * part is loaded once. Generating the reference takes seconds of CPU time, so it waits for the first request.
 */
export function createDocumentation(document: () => object): Documentation {
  const written = once(readWritten)
  const reference = once(async () => readReference(document))
  const pages = async () =>
    [...(await written()), ...(await reference())].map(([name, text]) => parseDocPage(name, text))
  return {
    page: async (name) => (await (name.startsWith(referenceFolder) ? reference() : written())).get(name) ?? null,
    pages,
    llms: async () => llmsText(await pages()),
  }
}

type Texts = ReadonlyMap<string, string>

function once(read: () => Promise<Texts>): () => Promise<Texts> {
  let reading: Promise<Texts> | null = null
  return () => (reading ??= read())
}

async function readWritten(): Promise<Texts> {
  const files = (await assets.docs.names().catch(() => [])).filter((file) => file.endsWith('.md')).toSorted()
  const texts = await assets.docs.read(files)
  return new Map(files.map((file, index) => [file.slice(0, -'.md'.length), texts[index]!.toString('utf8')]))
}

function readReference(document: () => object): Texts {
  const pages = [...referencePages(document() as ReferenceDocument)]
  return new Map(pages.map(([name, text]) => [`${referenceFolder}${name}`, text]))
}
