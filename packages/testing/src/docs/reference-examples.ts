/** One example of the API reference: its operation and its kind of call. */
export interface ReferenceExample {
  /** The anchor of the operation on the page, such as `campaigns-launch`. */
  anchor: string
  client: 'curl' | 'TypeScript' | 'CLI'
  code: string
}

const heading = /^## .*\{#([\w-]+)\}$/
const opening = /^```\w+ \[(curl|TypeScript|CLI)\]$/

/** Reads the examples from the text of the page, as readers see them. */
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
    const client = opening.exec(line)?.[1] as ReferenceExample['client'] | undefined
    if (client === undefined) continue
    example = { anchor, client, code: '' }
    found.push(example)
  }
  return found
}
