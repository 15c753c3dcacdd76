import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import { buildOpenApi } from '@overture/contract/document/openapi.ts'
import type { ReferenceDocument } from '@overture/contract/document/reference/document.ts'
import { referencePages } from '@overture/contract/document/reference/pages.ts'
import { cliPage } from './cli-page.ts'
import { onSite, pageTitle, type SourcePage } from './links.ts'
import { pagesElsewhere, sections } from './sections.ts'

const root = join(import.meta.dirname, '../..')

/** Where all pages are laid before they become a site: those of one build, of which there may be several. */
export const pagesFolder = join(import.meta.dirname, `dist.pages.${process.pid}`)

interface Entry {
  text: string
  link?: string
  items?: Entry[]
  collapsed?: boolean
}

/** Writes every page into one folder, and beside them what the sidebar lists. */
export async function layPages(folder: string): Promise<void> {
  const pages = new Map([...(await writtenPages()), ...(await generatedPages())].map((page) => [page.name, page]))
  for (const page of pages.values()) await lay(join(folder, `${page.name}.md`), onSite(page, pages))
  await lay(join(folder, 'index.md'), await readFile(join(import.meta.dirname, 'home.md'), 'utf8'))
  await lay(join(folder, 'sidebar.json'), JSON.stringify(buildSidebar(pages)))
}

async function lay(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

async function writtenPages(): Promise<SourcePage[]> {
  const inFolder = async (folder: string, below: string) =>
    (await readdir(join(root, folder)))
      .filter((file) => file.endsWith('.md'))
      .map((file) => ({ name: `${below}${file.slice(0, -'.md'.length)}`, file: `${folder}/${file}` }))
  const elsewhere = Object.entries(pagesElsewhere).map(([name, file]) => ({ name, file }))
  const found = [...(await inFolder('docs', '')), ...(await inFolder('docs/decisions', 'decisions/')), ...elsewhere]
  return Promise.all(found.map(async (page) => ({ ...page, text: await readFile(join(root, page.file), 'utf8') })))
}

async function generatedPages(): Promise<SourcePage[]> {
  // It came through JSON wherever else it is read.
  const document = JSON.parse(JSON.stringify(buildOpenApi(allEndpoints, { serverUrl: '/' }))) as ReferenceDocument
  const reference = [...referencePages(document)].map(([name, text]) => {
    return { name: `reference/${name}`, file: '', text }
  })
  return [...reference, { name: 'cli', file: '', text: await cliPage() }]
}

function buildSidebar(pages: ReadonlyMap<string, SourcePage>): Entry[] {
  const entry = (page: SourcePage): Entry => ({ text: pageTitle(page), link: `/${page.name}` })
  const listed = new Set(sections.flatMap((section) => section.pages))
  const below = (folder: string) => [...pages.values()].filter(({ name }) => name.startsWith(folder)).map(entry)
  const groups = sections.map(({ title, pages: names }): Entry => {
    const items = names.flatMap((name) => (pages.has(name) ? [entry(pages.get(name)!)] : []))
    if (title === 'Reference') items.unshift({ text: 'API', items: below('reference/'), collapsed: true })
    return { text: title, items }
  })
  const others = [...pages.values()].filter(({ name }) => !name.includes('/') && !listed.has(name)).map(entry)
  groups.at(-1)!.items!.push(...others, { text: 'Decisions', items: below('decisions/'), collapsed: true })
  return groups
}
