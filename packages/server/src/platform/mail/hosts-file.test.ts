import { expect, test } from 'vitest'
import { listCandidates, readHosts, readSearchList } from './hosts-file.ts'

test('a hosts file gives the addresses of names, IPv4 first, and ignores other lines', () => {
  const text =
    '::1 box Box.home\r\n# 1.2.3.4 box\n\t192.168.1.9   box # here\n192.168.1.9 box\n1.2.3 box\nbox\nfe80::1%lo0 box\n'
  expect(Object.fromEntries(readHosts(text))).toEqual({
    box: ['192.168.1.9', '::1', 'fe80::1%lo0'],
    'box.home': ['::1'],
  })
})

test('the last search list is used, first for short names and last for full ones', () => {
  expect(
    readSearchList('nameserver 10.0.0.1\ndomain old.test\nsearch apps.test corp.test. . # more\noptions ndots:5\n'),
  ).toEqual(['apps.test', 'corp.test'])
  expect(listCandidates('mailer', ['apps.test', 'corp.test'])).toEqual([
    'mailer.apps.test',
    'mailer.corp.test',
    'mailer',
  ])
  expect(listCandidates('mailer.apps', ['corp.test'])).toEqual(['mailer.apps', 'mailer.apps.corp.test'])
  expect(listCandidates('mailer', readSearchList(''))).toEqual(['mailer'])
})
