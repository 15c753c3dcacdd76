import { describe, expect, test } from 'vitest'
import { domainToAsk, judgeByRules, type MailRoute } from './address-rules.ts'
import { withEvidence } from './verdict.ts'
import { isRoleAddress } from './role-names.ts'
import { meantDomain } from './typos.ts'

function judge(given: string, route: MailRoute = 'exists', isDisposable = false) {
  return judgeByRules(given, { route, isDisposable })
}

describe('the syntax of an address', () => {
  test.each([
    ['ada@example.com', 'example.com'],
    [' Ada@Example.COM ', 'example.com'],
    ['ada@bücher.example', 'xn--bcher-kva.example'],
    ['no address', null],
    ['ada@localhost', null],
    ['ada@192.0.2.1', null],
    ['ada@-a.example', null],
    [`ada@${'a'.repeat(64)}.example`, null],
    [`ada@${'a.'.repeat(130)}example`, null],
    ['ada@exa\u200bmple.com', null],
  ])('%j has the domain %j', (given, domain) => {
    expect(domainToAsk(given)).toBe(domain)
  })

  test('makes an address undeliverable if it is wrong', () => {
    expect(judge('ada@@example.com')).toEqual({ result: 'undeliverable', reasons: ['syntax'], suggestion: null })
  })
})

describe('the rules', () => {
  test.each([
    ['ada@example.com', 'exists', false, 'unknown', []],
    ['ada@example.com', 'unknown', false, 'unknown', []],
    ['ada@example.com', 'none', false, 'undeliverable', ['no_mx']],
    ['ada@example.com', 'refused', false, 'undeliverable', ['null_mx']],
    ['ada@example.com', 'exists', true, 'risky', ['disposable']],
    ['info@example.com', 'exists', false, 'unknown', ['role']],
    ['ada@gmail.com', 'exists', false, 'unknown', ['free_mail']],
    ['info@example.com', 'none', true, 'undeliverable', ['no_mx', 'disposable', 'role']],
  ] as const)(
    'judge %s with the mail route %s (disposable: %s) as %s for %j',
    (given, route, isDisposable, ...then) => {
      const { result, reasons } = judge(given, route, isDisposable)
      expect([result, reasons]).toEqual(then)
    },
  )

  test('suggest the address that was probably meant', () => {
    expect(judge('Ada+x@gmial.com')).toEqual({ result: 'risky', reasons: ['typo'], suggestion: 'ada+x@gmail.com' })
  })
})

test.each([
  ['gmial.com', 'gmail.com'],
  ['gmal.com', 'gmail.com'],
  ['gmaill.com', 'gmail.com'],
  ['gmeil.com', 'gmail.com'],
  ['gmail.con', 'gmail.com'],
  ['gmial.con', 'gmail.com'],
  ['gmail.co', 'gmail.com'],
  ['hotmial.co.uk', 'hotmail.co.uk'],
  ['company.con', 'company.com'],
  ['gmail.com', null],
  ['ymail.com', null],
  ['mail.com', null],
  ['cloud.com', null],
  ['yahoo.co.jp', null],
  ['gmial.example', null],
  ['example.com', null],
])('%s is probably meant as %s', (domain, meant) => {
  expect(meantDomain(domain)).toBe(meant)
})

test.each([
  ['info@example.com', true],
  ['Sales+eu@example.com', true],
  ['information.desk@example.com', false],
  ['ada@info.example.com', false],
])('%s belongs to a function: %s', (email, is) => {
  expect(isRoleAddress(email)).toBe(is)
})

test('better evidence replaces the result and keeps the facts', () => {
  const rules = judge('info@example.com')
  const evidence = { result: 'risky' as const, reasons: ['catch_all' as const], suggestion: null }
  expect(withEvidence(rules, evidence)).toEqual({ result: 'risky', reasons: ['catch_all', 'role'], suggestion: null })
})
