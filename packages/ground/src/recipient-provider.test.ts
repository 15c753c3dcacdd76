import { describe, expect, test } from 'vitest'
import {
  providerOfConsumerDomain,
  providerOfExchanges,
  providerOfSender,
  simulatedProvider,
} from './recipient-provider.ts'

describe('the provider of a recipient', () => {
  test.each([
    [['aspmx.l.google.com', 'alt1.aspmx.l.google.com'], 'google'],
    [['SMTP.GOOGLE.COM.'], 'google'],
    [['run-test.mail.protection.outlook.com'], 'microsoft'],
    [['run-test.o-v1.mx.microsoft'], 'microsoft'],
    [['mta5.am0.yahoodns.net'], 'yahoo'],
    [['mx01.mail.icloud.com'], 'apple'],
    [['mxa-00011.gslb.pphosted.com', 'aspmx.l.google.com'], 'gateway'],
    [['eu-smtp-inbound-1.mimecast.com'], 'gateway'],
    [['mx.run.test'], 'other'],
    [['notgoogle.com'], 'other'],
    [['google.com.attacker.test'], 'other'],
    [[''], 'unknown'],
    [[], 'unknown'],
  ] as const)('with the exchanges %j is %s', (exchanges, expected) => {
    expect(providerOfExchanges(exchanges)).toBe(expected)
  })

  test('of consumer mail is known without a query', () => {
    expect(['gmail.com', 'hotmail.com', 'aol.com', 'me.com', 'run.test'].map(providerOfConsumerDomain)).toEqual([
      'google',
      'microsoft',
      'yahoo',
      'apple',
      null,
    ])
  })

  test('is simulated by the first label of the domain', () => {
    const domains = [
      'google.prospects.test',
      'gateway.x.test',
      'unknown.test',
      'gmail.com',
      'prospects.test',
      'other.test',
    ]
    expect(domains.map(simulatedProvider)).toEqual(['google', 'gateway', 'unknown', 'google', 'other', 'other'])
  })
})

test.each([
  [{ provider: 'google', smtpHost: null, email: 'a@run.test' }, 'google'],
  [{ provider: 'microsoft', smtpHost: null, email: 'a@run.test' }, 'microsoft'],
  [{ provider: 'smtp', smtpHost: 'smtp.gmail.com', email: 'a@run.test' }, 'google'],
  [{ provider: 'smtp', smtpHost: 'smtp.office365.com', email: 'a@run.test' }, 'microsoft'],
  [{ provider: 'smtp', smtpHost: 'smtp.mail.yahoo.com', email: 'a@yahoo.com' }, 'yahoo'],
  [{ provider: 'smtp', smtpHost: 'smtp.mail.me.com', email: 'a@me.com' }, 'apple'],
  [{ provider: 'smtp', smtpHost: 'mail.run.test', email: 'a@gmail.com' }, 'other'],
  [{ provider: 'sandbox', smtpHost: null, email: 'a@microsoft.run.test' }, 'microsoft'],
] as const)('a sending account of %j belongs to %s', (sender, expected) => {
  expect(providerOfSender(sender)).toBe(expected)
})
