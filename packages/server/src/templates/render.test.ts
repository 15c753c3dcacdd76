import { describe, expect, test } from 'vitest'
import { placeLinks, renderMessage, type RenderInput } from './render.ts'
import { chooseByWeight } from '@overture/ground/chance/seeded.ts'
import { spin } from './spintax.ts'
import { renderTemplate } from './template.ts'

const input: RenderInput = {
  seed: 'led_1 stp_1',
  template: { subject: 'Hello {{ firstName }}', body: 'Hi {{ firstName }},\n\nsee https://acme.test/a?b=1&c=2.' },
  lead: {
    email: 'ada@acme.test',
    firstName: 'Ada',
    lastName: null,
    jobTitle: '',
    company: 'A & <B>',
    companyDomain: null,
    linkedinUrl: null,
    mobile: null,
    country: null,
    city: null,
    timezone: null,
    customVariables: { plan: 'Pro', seats: 3, empty: ' ' },
  },
  sender: { email: 'eve@sender.test', fromName: 'Eve', signature: null },
  unsubscribeUrl: 'https://out.test/u/t1',
  meetingUrl: null,
  textOnly: false,
  unsubscribe: 'link',
  postalAddress: '1 Main St\nTown',
  threadSubject: null,
  openPixelUrl: null,
  trackLinks: false,
}

type Change = Partial<Omit<RenderInput, 'template'> & RenderInput['template']>

function render({ subject = input.template.subject, body = input.template.body, ...change }: Change) {
  return renderMessage({ ...input, ...change, template: { subject, body } })
}

function rendered(change: Change) {
  const result = render(change)
  if (result.kind !== 'rendered') throw new Error(JSON.stringify(result))
  return result
}

describe('a template', () => {
  test("can't print the customer's records about a lead, and a custom variable may have their name", () => {
    const lead = { ...input.lead, dataSource: 'Register', basisNote: 'Note', customVariables: { dataSource: 'fair' } }
    expect(rendered({ lead, body: 'Seen at the {{ dataSource }}.' }).text).toContain('Seen at the fair.')
    expect(render({ lead, body: '{{ basisNote }}' })).toMatchObject({ kind: 'missing_variable', names: ['basisNote'] })
  })

  test.each(['lastName', 'jobTitle', 'customVariables.none', 'customVariables.empty', 'meetingUrl', 'nonsense'])(
    'with the missing variable %s is never sent with a blank',
    (name) =>
      expect(render({ body: `Hi {{ ${name} }}` })).toEqual({
        kind: 'missing_variable',
        names: [name],
      }),
  )

  test('reports all missing variables at once', () => {
    expect(render({ subject: '{{ city }}', body: '{{ lastName }} {{ customVariables.a }} {{ lastName }}' })).toEqual({
      kind: 'missing_variable',
      names: ['city', 'lastName', 'customVariables.a'],
    })
  })

  test('with a default or a condition is rendered', () => {
    expect(
      rendered({ body: 'Hi {{ lastName | default: "there" }}{% if city %} in {{ city }}{% endif %}' }).text,
    ).toMatch(/^Hi there\n/)
  })

  test("can't read inherited properties or files", () => {
    expect(renderTemplate('{{ firstName.constructor }}', { firstName: 'x' }, { seed: '', html: false }).kind).toBe(
      'missing_variable',
    )
  })
})

describe('spintax and variants', () => {
  test('the same lead and step always get the same text', () => expect(spin('a|b|c', 's')).toBe(spin('a|b|c', 's')))

  test('options are used equally often', () => {
    const counts: Record<string, number> = {}
    for (let lead = 0; lead < 3000; lead++)
      counts[spin('a|b|c', `led_${lead}`)] = (counts[spin('a|b|c', `led_${lead}`)] ?? 0) + 1
    for (const count of Object.values(counts)) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })

  test('variants are used in proportion to their weight', () => {
    let first = 0
    for (let lead = 0; lead < 4000; lead++)
      if (
        chooseByWeight(
          [
            { id: 1, weight: 3 },
            { id: 2, weight: 1 },
          ],
          `led_${lead}`,
        )?.id === 1
      )
        first++
    expect(Math.abs(first - 3000)).toBeLessThan(150)
  })
})

describe('a message', () => {
  test('has the opt-out line and the postal address in both parts', () => {
    const { subject, text, html } = rendered({})
    expect(subject).toBe('Hello Ada')
    expect(text).toBe(
      'Hi Ada,\n\nsee https://acme.test/a?b=1&c=2.\n\nUnsubscribe: https://out.test/u/t1\n\n1 Main St\nTown',
    )
    expect(html).toContain('<a href="https://acme.test/a?b=1&amp;c=2">')
    expect(html).toContain('href="https://out.test/u/t1"')
    expect(html).toContain('1 Main St<br>Town')
  })

  test('escapes variables in HTML only', () => {
    expect(rendered({ body: '<p>{{ company }}</p>' }).html).toContain('<p>A &amp; &lt;B&gt;</p>')
    expect(rendered({ body: '{{ company }}' }).text).toMatch(/^A & <B>\n/)
    expect(rendered({ subject: '{{ company }}' }).subject).toBe('A & <B>')
  })

  test('written as HTML gets a text part', () => {
    const { text, html } = rendered({
      body: '<html><body><p>Hi <b>{{ firstName }}</b></p><a href="https://a.test/x">more</a></body></html>',
    })
    expect(text).toContain('Hi Ada')
    expect(text).toContain('more [https://a.test/x]')
    expect(html?.indexOf('1 Main St')).toBeLessThan(html?.indexOf('</body>') ?? -1)
  })

  test('with its own opt-out link gets no second one, and with header_only none', () => {
    expect(rendered({ body: 'x {{ unsubscribeUrl }}' }).text.match(/out\.test/g)).toHaveLength(1)
    expect(rendered({ unsubscribe: 'header_only' }).text).not.toContain('out.test')
  })

  test('with textOnly has no HTML and no tracking', () => {
    expect(rendered({ textOnly: true, openPixelUrl: 'https://o.test/1' }).html).toBeNull()
  })

  test('tracks opens and links only if enabled, and never the opt-out link', () => {
    expect(rendered({}).html).not.toContain('<img')
    const { text, ...found } = rendered({ openPixelUrl: 'https://t.test/o/1', trackLinks: true })
    const html = placeLinks(found.html ?? '', found.links, (url) => `https://t.test/c/${encodeURIComponent(url)}`)
    expect(html).toContain('src="https://t.test/o/1"')
    expect(html).toContain('href="https://t.test/c/https%3A%2F%2Facme.test%2Fa%3Fb%3D1%26c%3D2"')
    expect(html).toContain('href="https://out.test/u/t1"')
    expect(text).not.toContain('t.test/c')
  })

  test('in a thread has Re: once', () => {
    expect(rendered({ subject: '', threadSubject: 'Hello Ada' }).subject).toBe('Re: Hello Ada')
    expect(rendered({ subject: '', threadSubject: 'Re: Hello Ada' }).subject).toBe('Re: Hello Ada')
  })

  test('has no line break in its subject', () => {
    const lead = { ...input.lead, firstName: 'Ada\r\nBcc: all@victim.test\u2028x\0y' }
    expect(rendered({ lead }).subject).toBe('Hello Ada Bcc: all@victim.test x y')
  })

  test('has the signature in both parts', () => {
    const { text, html } = rendered({ sender: { ...input.sender, signature: '<b>Eve</b>' } })
    expect(text).toContain('\n\nEve\n\n')
    expect(html).toContain('<b>Eve</b>')
  })
})
