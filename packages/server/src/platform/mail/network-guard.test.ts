import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { createNamesDouble } from '@overture/testing/mail/names-double.ts'
import { publicOnly } from '@overture/testing/mail/reach.ts'
import { checkTarget } from './network-guard.client.ts'
import { isLoopbackAddress, isMetadataAddress, isPrivateAddress } from './public-address.ts'
import { tlsOptions } from './smtp-connect.client.ts'

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '::127.0.0.1',
  'not an address',
])('%s is private', (address) => {
  expect(isPrivateAddress(address)).toBe(true)
})

test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) => {
  expect(isPrivateAddress(address)).toBe(false)
})

test('loopback is distinguished from other private addresses', () => {
  expect(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'].every(isLoopbackAddress)).toBe(true)
  expect(['10.0.0.1', '8.8.8.8', 'fd00::1'].some(isLoopbackAddress)).toBe(false)
})

test.each(['localhost', '127.1', '2130706433', '0x7f000001', '[::1]'])(
  'a spelling of loopback (%s) is refused',
  async (host) => {
    const result = await checkTarget({ host, port: 25 }, publicOnly, 2_000)
    expect(result.kind).not.toBe('allowed')
  },
)

test('certificates are verified unless the server is on this machine and private targets are allowed', () => {
  expect(tlsOptions('mail.example.com', false)).toMatchObject({
    rejectUnauthorized: true,
    servername: 'mail.example.com',
  })
  expect(tlsOptions('127.0.0.1', true)).toMatchObject({ rejectUnauthorized: false, servername: undefined })
})

/**
 * Ranges that no connection may use unless the operator allows it: the registries' special ranges and some of clouds.
 */
const closedRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

test.each(closedRanges)('every address of %s is private, in every spelling', (range) => {
  const [network, bits] = ipaddr.parseCIDR(range)
  const fixed = network.toByteArray()
  fc.assert(
    fc.property(fc.uint8Array({ minLength: fixed.length, maxLength: fixed.length }), (chance) => {
      const bytes = fixed.map((byte, index) => {
        const mask = (0xff << Math.max(0, 8 - Math.max(0, bits - index * 8))) & 0xff
        return (byte & mask) | (chance[index]! & ~mask & 0xff)
      })
      const address = ipaddr.fromByteArray(bytes)
      const mapped = address.kind() === 'ipv4' ? (address as ipaddr.IPv4).toIPv4MappedAddress() : address
      for (const spelling of [address.toString(), mapped.toString(), mapped.toNormalizedString().toUpperCase()])
        expect(isPrivateAddress(spelling), spelling).toBe(true)
    }),
  )
})

test('a name with a private address among public ones is refused', async () => {
  const names = createNamesDouble()
  const open = fc.constantFrom<string>('8.8.8.8', '1.1.1.1', '2606:4700::1111')
  const closed = fc.constantFrom('127.0.0.1', '::ffff:10.0.0.1', 'fd00::1', '168.63.129.16', 'fe80::1%eth0')
  await fc.assert(
    fc.asyncProperty(fc.array(open, { maxLength: 15 }), closed, fc.nat(15), async (others, address, at) => {
      names.answers.set('mixed.test', [others.toSpliced(at, 0, address)])
      const target = { host: 'mixed.test', port: 25 }
      expect((await checkTarget(target, { ...publicOnly, names }, 1_000)).kind).toBe('forbidden')
      names.answers.set('mixed.test', [[...others, '8.8.4.4']])
      expect((await checkTarget(target, { ...publicOnly, names }, 1_000)).kind).toBe('allowed')
    }),
  )
})

describe('with private targets allowed', () => {
  const open = { ...publicOnly, allowPrivate: true }

  test.each([
    '169.254.169.254',
    '169.254.0.1',
    '169.254.170.2',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '::a9fe:a9fe',
    'fe80::1%eth0',
    'febf::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
  ])('link-local and metadata addresses stay refused: %s', async (host) => {
    expect(isMetadataAddress(host)).toBe(true)
    expect((await checkTarget({ host, port: 80 }, open, 1_000)).kind).toBe('forbidden')
    const names = createNamesDouble()
    names.answers.set('metadata.test', [['10.0.0.1', host]])
    expect((await checkTarget({ host: 'metadata.test', port: 80 }, { ...open, names }, 1_000)).kind).toBe('forbidden')
  })

  test.each(['127.0.0.1', '10.0.0.1', '192.168.1.1', 'fd00::1', '::1', '8.8.8.8'])('%s is allowed', async (host) => {
    expect((await checkTarget({ host, port: 80 }, open, 1_000)).kind).toBe('allowed')
  })
})
