import fc from 'fast-check'

/** Bodies of up to 20,000 characters that exceed the rendering limits, by the construct that they use. */
export const hostileTemplates: Record<string, fc.Arbitrary<string>> = {
  'nested loops': fc
    .tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 101, max: 1_000 }), fc.constantFrom('x', '{{ i0 }}', ' '))
    .map(([depth, turns, inner]) => {
      const levels = Array.from({ length: depth }, (_, level) => `{% for i${level} in (1..${turns}) %}`)
      return `${levels.join('')}${inner}${'{% endfor %}'.repeat(depth)}`
    }),
  'long ranges': fc
    .tuple(
      fc.integer({ min: 0, max: 9 }),
      fc.integer({ min: 1_001, max: 9_000_000_000 }),
      fc.constantFrom(
        (range: string) => `{% for i in ${range} %}{% endfor %}`,
        (range: string) => `{% assign many = ${range} %}{{ many | size }}`,
        (range: string) => `{% if firstName %}{% tablerow i in ${range} %}{{ i }}{% endtablerow %}{% endif %}`,
      ),
    )
    .map(([first, length, use]) => use(`(${first}..${first + length})`)),
  'loops between variables': fc
    .tuple(fc.integer({ min: 10_001, max: 1_000_000 }), fc.constantFrom('x', '{{ i }}'))
    .map(([turns, inner]) => `{% assign last = ${turns} %}{% for i in (1..last) %}${inner}{% endfor %}`),
  'missing variables in a loop': fc.integer({ min: 26, max: 60 }).map((names) => {
    const variables = Array.from({ length: names }, (_, at) => `{{ customVariables.name${at} }}`)
    return `{% for i in (1..1000) %}${variables.join('')}{% endfor %}`
  }),
  'text that doubles': fc
    .integer({ min: 40, max: 900 })
    .map(
      (turns) => `{% assign s = "ab" %}{% for i in (1..${turns}) %}{% assign s = s | append: s %}{% endfor %}{{ s }}`,
    ),
  'deep HTML': fc
    .tuple(
      fc.constantFrom('<div>', '<b>', '<table><tr><td>', '<ul><li>', '<blockquote>'),
      fc.integer({ min: 0, max: 900 }),
    )
    .map(([open, more]) => `${open.repeat(210 + more)}Hi`),
  'thousands of tags': fc
    .tuple(
      fc.constantFrom('{{a}}', '{{ firstName }}', '{%assign a=1%}', '{%if a%}{%endif%}', 'x{{ a }}'),
      fc.integer({ min: 1_001, max: 1_200 }),
    )
    .map(([tag, count]) => tag.repeat(Math.min(count, Math.floor(20_000 / tag.length)))),
  'deep tags': fc
    .tuple(
      fc.constantFrom(
        ['{% if firstName %}', '{% endif %}'],
        ['{% unless firstName %}', '{% endunless %}'],
        ['{% for i in (1..1) %}', '{% endfor %}'],
        ['{% case 1 %}{% when 1 %}', '{% endcase %}'],
        ['{% capture x %}', '{% endcapture %}'],
      ),
      fc.integer({ min: 22, max: 400 }),
    )
    .map(([[open = '', close = ''], depth]) => `${open.repeat(depth)}Hi${close.repeat(depth)}`),
}

/** Bodies with single steps so slow that only ending their thread stops them. */
export const endlessTemplates = fc
  .integer({ min: 1_200, max: 1_500 })
  .map((filters) => `{% assign x = 1 %}{% for i in (1..1000) %}{{ x ${'| plus: 1 '.repeat(filters)}}}{% endfor %}`)

/** Typical bodies of users. */
export const ordinaryTemplates = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'Hi {{ firstName | default: "there" }},',
        '{{ "Hello|Hi|Good day" | spin }}',
        'I saw what {{ company | default: "your team" }} does & liked it.',
        '{% if city %}Greetings to {{ city }}.{% endif %}',
        '{{ customVariables.plan | upcase | default: "BASIC" }}',
        '<p>Dear <b>{{ firstName | default: "friend" }}</b></p>',
        '<table><tr><td><a href="https://acme.test/a?b=1">more</a></td></tr></table>',
        '{% for i in (1..3) %}{{ i }}{% endfor %}',
        '{{ sender.fromName }} {{ unsubscribeUrl }}',
      ),
      fc.string({ maxLength: 40 }).map((text) => text.replaceAll(/[{}%<]/g, '')),
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((pieces) => pieces.join('\n'))
