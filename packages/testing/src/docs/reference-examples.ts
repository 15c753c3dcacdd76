/** One example of the reference: the operation that it stands under, and the way to call it. */
export interface ReferenceExample {
  /** `campaigns-launch`, its place on the page. */
  anchor: string
  way: 'curl' | 'TypeScript' | 'CLI'
  code: string
}

const heading = /^## .*\{#([\w-]+)\}$/
const opening = /^```\w+ \[(curl|TypeScript|CLI)\]$/

/** As they are shown: read from the text of the page. */
export function referenceExamples(page: string): ReferenceExample[] {
  const found: ReferenceExample[] = []
  let anchor = ''
  let example: ReferenceExample | null = null
  for (const line of page.split('\n')) {
    if (example !== null) {
      if (line === '```') example = null
      else example.code += `${line}\n`
      continue
    }
    anchor = heading.exec(line)?.[1] ?? anchor
    const way = opening.exec(line)?.[1] as ReferenceExample['way'] | undefined
    if (way === undefined) continue
    example = { anchor, way, code: '' }
    found.push(example)
  }
  return found
}
