import { expect, test } from 'vitest'
import { checkTarget, isLoopbackAddress, isPrivateAddress } from './network-guard.client.ts'
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

test('loopback is told apart from other private addresses', () => {
  expect(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'].every(isLoopbackAddress)).toBe(true)
  expect(['10.0.0.1', '8.8.8.8', 'fd00::1'].some(isLoopbackAddress)).toBe(false)
})

test.each(['localhost', '127.1', '2130706433', '0x7f000001', '[::1]'])(
  'a spelling of loopback (%s) is not let through',
  async (host) => {
    const result = await checkTarget(host, 25, { allowPrivate: false, timeoutMs: 2_000 })
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
