/** Makes lists of the paragraphs that Word writes for list items: they have a level, and their marker is text. */
export function wordLists(body: Element): void {
  const open: Element[] = []
  let last: Element | null = null
  for (const paragraph of body.querySelectorAll('p')) {
    const level = Number(/mso-list:[^;]*\blevel(\d)/i.exec(paragraph.getAttribute('data-style') ?? '')?.[1] ?? 0)
    if (level === 0) continue
    const marker = findMarker(paragraph)
    const name = /^\(?(?:\d+|[a-z]|[ivx]+)[.)]/i.test(marker?.textContent?.trim() ?? '') ? 'ol' : 'ul'
    marker?.remove()
    if (paragraph.previousElementSibling !== last) open.length = 0
    open.length = Math.min(open.length, level)
    while (open.length < level) open.push(addedList(name, open.at(-1), paragraph))
    const item = body.ownerDocument.createElement('li')
    open.at(-1)!.append(item)
    item.append(...paragraph.childNodes)
    paragraph.remove()
    last = open[0] ?? null
  }
}

function findMarker(paragraph: Element): Element | undefined {
  return Array.from(paragraph.querySelectorAll('span')).find((span) =>
    /mso-list:\s*ignore/i.test(span.getAttribute('data-style') ?? ''),
  )
}

function addedList(name: string, around: Element | undefined, paragraph: Element): Element {
  const list = paragraph.ownerDocument.createElement(name)
  const item = around?.lastElementChild
  if (around === undefined) paragraph.before(list)
  else if (item?.localName === 'li') item.append(list)
  else around.append(list)
  return list
}
