import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { templateProblem } from '@overture/server/templates/template-check.ts'
import { instantly } from './instantly.ts'
import { lemlist } from './lemlist.ts'
import { translateTags } from './merge-tags.ts'
import { FormatError, toLead, toRow, type Product } from './moved.ts'
import { variableName } from '@overture/ground/text/merge-tag-names.ts'
import { smartlead } from './smartlead.ts'

const all = { instantly, smartlead, lemlist }

describe('names of columns and tags', () => {
  test.each([
    ['First Name', 'firstName'],
    ['first_name', 'firstName'],
    ['firstName', 'firstName'],
    ['FIRST_NAME', 'firstName'],
    ['Ice-Breaker', 'iceBreaker'],
    ['Société', 'societe'],
    ['2nd line', 'v2ndLine'],
    ['', 'v'],
  ])('%s becomes %s', (written, name) => {
    expect(variableName(written)).toBe(name)
  })

  test('become names that a template can use, whatever the input', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => /^[A-Za-z]\w{0,63}$/.test(variableName(text))))
  })
})

describe('merge tags', () => {
  test.each<[keyof typeof all, string, string]>([
    ['instantly', 'Hi {{firstName}}', 'Hi {{ firstName }}'],
    ['instantly', '{{ companyName }} {{personalization}}', '{{ company }} {{ customVariables.personalization }}'],
    ['instantly', '{{firstName | there}}', '{{ firstName | default: "there" }}'],
    ['instantly', '{{firstName|"my friend"}}', '{{ firstName | default: "my friend" }}'],
    ['instantly', '{{firstName | default: "there"}}', '{{ firstName | default: "there" }}'],
    ['instantly', '{{firstName | upcase}}', '{{ firstName | upcase }}'],
    ['instantly', '{{RANDOM | Hi | Hello, you}}', '{{ "Hi|Hello, you" | spin }}'],
    ['instantly', '{{random|say "yes"|no}}', `{{ 'say "yes"|no' | spin }}`],
    ['instantly', '{{accountSignature}}', '{{ sender.signature }}'],
    ['instantly', '{Hi|Hello}', '{Hi|Hello}'],
    ['smartlead', '{Hi|Hello} {{first_name}}', '{{ "Hi|Hello" | spin }} {{ firstName }}'],
    ['smartlead', '{{company_name}} {no options}', '{{ company }} {no options}'],
    ['lemlist', '{{icebreaker}} {{senderName}}', '{{ customVariables.icebreaker }} {{ sender.fromName }}'],
    ['lemlist', '{% spin %}Hi|Hello{% endspin %}!', '{{ "Hi|Hello" | spin }}!'],
    ['lemlist', 'open {{ brace', 'open {{ brace'],
    ['smartlead', '{{|} {{{first_name}}', '{ {{ "|" | spin }} { {{ firstName }}'],
  ])('%s: %s', (product, theirs, ours) => {
    expect(translateTags(theirs, all[product].dialect)).toMatchObject({ text: ours, unknown: [] })
  })

  test.each<[keyof typeof all, string, string, string[]]>([
    ['instantly', '{% if firstName %}Hi{% endif %}', 'Hi', ['{% if firstName %}', '{% endif %}']],
    ['instantly', '{{firstName | where: "a"}}', '{{ firstName }}', ['{{firstName | where: "a"}}']],
    ['instantly', '{{1 + 1}}', '', ['{{1 + 1}}']],
    ['instantly', '{{RANDOM|Hi {{firstName}}|Hello}}', 'Hi {{ firstName }}', ['{{RANDOM|Hi {{firstName}}|Hello}}']],
    ['smartlead', '{Hi {{first_name}}|Hello}', 'Hi {{ firstName }}', ['{{Hi {{first_name}}|Hello}}']],
  ])('without an equivalent are reported: %s %s', (product, theirs, ours, unknown) => {
    expect(translateTags(theirs, all[product].dialect)).toMatchObject({ text: ours, unknown })
  })

  test('become templates that can be parsed, whatever the input', () => {
    const piece = fc.constantFrom(
      '{{',
      '}}',
      '{',
      '}',
      '|',
      '{%',
      '%}',
      'RANDOM',
      ' firstName ',
      '"',
      "'",
      'default:',
      'é',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom(...Object.values(all)), (pieces, { dialect }) => {
        const text = pieces.join('')
        // Braces that belong to no tag stay, as the other product would show them.
        const { text: ours } = translateTags(text, dialect)
        if (/\{[{%]/.test(ours.replaceAll(/\{\{ [^{}]* \}\}/g, ''))) return
        expect(templateProblem('body', ours, () => 0)).toBeNull()
      }),
    )
  })

  test('an end is searched within 4,000 characters, and tags without an end stay as text', () => {
    const search = vi.spyOn(String.prototype, 'indexOf')
    for (const { dialect } of Object.values(all)) {
      search.mockClear()
      const text = '{%'.repeat(20_000)
      expect(translateTags(text, dialect).text.replaceAll(' ', '')).toContain('{%'.repeat(100))
      const lengths = search.mock.contexts.map((one) => String(one).length)
      expect(lengths.filter((length) => length > 4_002)).toEqual([])
    }
    search.mockRestore()
  })

  test('that are never closed stay as text, however many there are', () => {
    const braces = (text: string) => text.split('{').length - 1
    for (const part of ['{{', '{', '{{a|', '{%', '{a|{']) {
      const text = part.repeat(4_000)
      for (const { dialect } of Object.values(all)) expect(braces(translateTags(text, dialect).text)).toBe(braces(text))
    }
  })
})

describe('rows', () => {
  const standings: [keyof typeof all, Record<string, string>, string][] = [
    ['instantly', { 'Lead Status': 'Completed' }, 'contacted'],
    ['instantly', { status: '3' }, 'contacted'],
    ['instantly', { status: '-1' }, 'opted_out'],
    ['instantly', { status: '-2' }, 'opted_out'],
    ['instantly', { 'Lead Status': 'Unsubscribed' }, 'opted_out'],
    ['instantly', { 'Lead Status': 'Not yet contacted' }, 'new'],
    ['instantly', { status: '1' }, 'new'],
    ['instantly', { status: '1', timestamp_last_contact: '2026-01-01' }, 'contacted'],
    ['instantly', { status: '1', email_reply_count: '2' }, 'contacted'],
    ['instantly', { status: 'Hibernating' }, 'unknown'],
    ['instantly', {}, 'new'],
    ['smartlead', { status: 'STARTED' }, 'new'],
    ['smartlead', { status: 'INPROGRESS' }, 'contacted'],
    ['smartlead', { status: 'STARTED', last_email_sequence_sent: '1' }, 'contacted'],
    ['smartlead', { status: 'COMPLETED', is_unsubscribed: 'true' }, 'opted_out'],
    ['smartlead', { status: 'BLOCKED' }, 'opted_out'],
    ['smartlead', { status: 'STARTED', category: 'Do Not Contact' }, 'opted_out'],
    ['smartlead', { status: 'DREAMING' }, 'unknown'],
    ['lemlist', { lastState: 'emailsSent' }, 'contacted'],
    ['lemlist', { lastState: 'emailsBounced' }, 'opted_out'],
    ['lemlist', { state: 'emailsUnsubscribed' }, 'opted_out'],
    ['lemlist', { state: 'notInterested' }, 'contacted'],
    ['lemlist', { status: 'readyToSend' }, 'new'],
    ['lemlist', { status: 'review', lastState: 'linkedinInviteDone' }, 'contacted'],
    ['lemlist', { state: 'dreaming' }, 'unknown'],
  ]
  test.each(standings)('%s: %j is %s', (product, cells, kind) => {
    expect(all[product].standing(toRow(Object.keys(cells), Object.values(cells))).kind).toBe(kind)
  })

  test('become leads: fields by name, other columns as variables, bookkeeping columns ignored', () => {
    const titles = [
      'Email',
      'First Name',
      'Company Name',
      'Website',
      'Personalization',
      'Lead Status',
      'Campaign',
      'Empty',
    ]
    const cells = ['ada@x.test', 'Ada', 'X', 'https://www.x.test/a', 'Nice hat', 'Active', 'Spring', '']
    expect(toLead(toRow(titles, cells), instantly.ledger)).toEqual({
      email: 'ada@x.test',
      firstName: 'Ada',
      company: 'X',
      companyDomain: 'x.test',
      customVariables: { personalization: 'Nice hat' },
    })
    const custom = toRow(['email', 'custom_fields'], ['bob@x.test', '{"Ice Breaker":"Hm","n":4,"deep":{}}'])
    expect(toLead(custom, smartlead.ledger)).toEqual({
      email: 'bob@x.test',
      customVariables: { iceBreaker: 'Hm', n: '4' },
    })
  })
})

describe('campaigns', () => {
  test('from Instantly: its delay after a step becomes a wait before the next one', () => {
    const [moved] = instantly.campaigns({
      name: 'Spring',
      sequences: [
        {
          steps: [
            {
              type: 'email',
              delay: 3,
              variants: [{ subject: 'Hi {{firstName}}', body: '<p>{{personalization}}</p>' }],
            },
            {
              type: 'email',
              delay: 0,
              variants: [
                { subject: '', body: 'Again' },
                { subject: '', body: 'B', v_disabled: true },
              ],
            },
          ],
        },
      ],
      campaign_schedule: {
        schedules: [
          { timing: { from: '09:00', to: '17:30' }, days: { 0: false, 1: true, 5: true }, timezone: 'Europe/Berlin' },
        ],
      },
      daily_limit: 40,
      stop_on_reply: true,
      text_only: true,
    })
    expect(moved).toMatchObject({
      name: 'Spring',
      variables: ['personalization'],
      notes: [],
      schedule: { timezone: 'Europe/Berlin', windows: [{ days: ['mon', 'fri'], from: '09:00', to: '17:30' }] },
      settings: { dailyLimit: 40, stopOnReply: true, textOnly: true },
    })
    expect(moved!.steps).toEqual([
      { variants: [{ subject: 'Hi {{ firstName }}', body: '<p>{{ customVariables.personalization }}</p>' }] },
      {
        waitBefore: { value: 3, unit: 'days' },
        sameThread: true,
        variants: [{ body: 'Again' }, { body: 'B', enabled: false }],
      },
    ])
  })

  test('from Smartlead: in the order of their numbers, without deleted variants', () => {
    const [moved] = smartlead.campaigns({
      id: 7,
      name: 'Autumn',
      sequences: [
        { seq_number: 2, seq_delay_details: { delayInDays: 4 }, subject: 'New', email_body: 'Two' },
        {
          seq_number: 1,
          seq_delay_details: { delayInDays: 0 },
          sequence_variants: [
            { subject: 'A', email_body: 'One', variant_distribution_percentage: 70 },
            { subject: 'B', email_body: 'Gone', is_deleted: true },
          ],
        },
      ],
      track_settings: ['DONT_TRACK_EMAIL_OPEN'],
      scheduler_cron_value: { tz: 'America/New_York', days: [1, 2], startHour: '08:00', endHour: '12:00' },
    })
    expect(moved).toMatchObject({ sourceId: '7', settings: { openTracking: false, linkTracking: true } })
    expect(moved!.steps).toEqual([
      { variants: [{ subject: 'A', body: 'One', weight: 70 }] },
      { waitBefore: { value: 4, unit: 'days' }, sameThread: false, variants: [{ subject: 'New', body: 'Two' }] },
    ])
    expect(moved!.schedule.windows).toEqual([{ days: ['mon', 'tue'], from: '08:00', to: '12:00' }])
  })

  test('from Lemlist: other steps are left out, but their waits are kept', () => {
    const [moved] = lemlist.campaigns({
      _id: 'cam_1',
      name: 'Winter',
      sequences: {
        seq_1: {
          steps: [
            { type: 'email', delay: 0, subject: 'Hi', message: 'One' },
            { type: 'linkedinInvite', delay: 2 },
            { type: 'email', delay: 1, subject: '', message: 'Two' },
          ],
        },
      },
    })
    expect(moved!.notes).toEqual(['1 steps are not emails and are left out.'])
    expect(moved!.steps[1]).toMatchObject({ waitBefore: { value: 3, unit: 'days' }, sameThread: true })
  })

  test.each<[string, Product, unknown]>([
    ['a list of nothing', instantly, [null]],
    ['without a name', smartlead, { sequences: [] }],
    ['another shape', lemlist, { name: 'x', steps: [{ delay: 'soon' }] }],
  ])('invalid documents are refused with the field: %s', (_name, product, document) => {
    expect(() => product.campaigns(document)).toThrow(FormatError)
  })
})
