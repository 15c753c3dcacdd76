import { expect, test } from 'vitest'
import { readClientMetadata } from './client-metadata.ts'

test.each([
  ['no JSON', null],
  ['null', null],
  ['[]', null],
  ['"text"', null],
  ['{}', {}],
  [
    '{"client_id":"a","client_name":"b","sector_identifier_uri":"https://a.test","jwks_uri":"https://a.test"}',
    { client_id: 'a', client_name: 'b' },
  ],
  ['{"__proto__":{"client_id":"a"},"redirect_uris":["c"]}', { redirect_uris: ['c'] }],
  ['{"client_secret":"s"}', { client_secret: 's' }],
])('%s: %j', (text, metadata) => {
  expect(readClientMetadata(text)).toEqual(metadata)
})
