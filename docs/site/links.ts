import { posix } from 'node:path'
import { pagesElsewhere } from './sections.ts'

/** A page with the file of the repository that it is written in. */
export interface SourcePage {
  /** Its path on the site, without the ending: `delivery`, `decisions/0001-embed-postgresql`. */
  name: string
  /** Its path in the repository; empty where it is written by the build. */
  file: string
  text: string
}

const link = /(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g
const image = /!\[([^\]]*)\]\(([^)\s]+)\)/g
const mention = /(?<!\[)`(docs\/[\w/-]+\.md)`/g

/**
 * A page as it is shown on the site. Links lead to pages of the site, and names of files that are pages become links. A link into
 * the repository, which is not on the site, becomes plain text.
 */
export function onSite({ name, file, text }: SourcePage, pages: ReadonlyMap<string, SourcePage>): string {
  const byFile = new Map([...pages.values()].map((page) => [page.file, page]))
  const to = (page: SourcePage) =>
    posix.relative(posix.dirname(`/${name}`), `/${page.name}.md`).replace(/^(?!\.)/, './')
  return outsideFences(text, (part) =>
    part
      // Marks for programs, which a reader of the file does not see either.
      .replaceAll(/^<!--[^]*?-->\n?/gm, '')
      .replaceAll(image, (all, words: string, target: string) => (/^https?:/.test(target) ? all : words))
      .replaceAll(mention, (all, path: string) => {
        const page = byFile.get(path)
        return page === undefined || page.name === name ? all : `[${pageTitle(page)}](${to(page)})`
      })
      .replaceAll(link, (all, words: string, target: string) => {
        if (/^(?:https?:|mailto:|#|\/)/.test(target)) return all
        const [path = '', anchor] = target.split('#')
        if (file === '' || pages.has(posix.normalize(posix.join(posix.dirname(name), path)).replace(/\.md$/, '')))
          return all
        const page = byFile.get(posix.normalize(posix.join(posix.dirname(file), path)))
        return page === undefined ? words : `[${words}](${to(page)}${anchor === undefined ? '' : `#${anchor}`})`
      }),
  )
}

export function pageTitle({ name, text }: SourcePage): string {
  return /^# (.+)$/m.exec(text)?.[1]?.trim() ?? name
}

export function isElsewhere(name: string): boolean {
  return Object.hasOwn(pagesElsewhere, name)
}

/** Changes the text outside code fences. */
function outsideFences(text: string, change: (part: string) => string): string {
  return text
    .split(/^(```[^]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('')
}
