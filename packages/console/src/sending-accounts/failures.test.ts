import { expect, test } from 'vitest'
import { plainFailure, plainStoredError } from './failures.ts'

const smtp = { host: 'mail.example.com', port: 587 }
const imap = { host: 'imap.example.com', port: 993 }

test.each([
  ['connect ECONNREFUSED 127.0.0.1:587', 'The server mail.example.com does not accept connections on port 587.'],
  ['The connection was not made in time.', 'The server mail.example.com does not respond on port 587. Check both.'],
  ['connect EHOSTUNREACH 192.0.2.7:587', 'The server mail.example.com can’t be reached from here.'],
  ['getaddrinfo ENOTFOUND mail.example.com', 'No server is named mail.example.com. Check the spelling.'],
  ['The name mail.example.com has no address.', 'No server is named mail.example.com. Check the spelling.'],
  [
    'write EPROTO 80:error:0A00010B:SSL routines:ssl3_get_record:wrong version number',
    'The server mail.example.com does not start with TLS on port 587. Choose STARTTLS or another port.',
  ],
  ['certificate has expired', 'The certificate of mail.example.com has expired.'],
  ["Hostname/IP does not match certificate's altnames", 'The certificate of mail.example.com is for another name.'],
  ['self-signed certificate', 'The certificate of mail.example.com is not signed by a known authority.'],
  [
    'read ECONNRESET',
    'The server mail.example.com closed the connection on port 587. Check the port and the security.',
  ],
])('says "%s" in plain words and keeps it as details', (message, sentence) => {
  expect(plainFailure(message, smtp)).toEqual({ sentence, details: message })
})

test('keeps the words of the mail server and messages without a server', () => {
  const words = '535 5.7.8 Username and Password not accepted'
  expect(plainFailure(words, smtp)).toEqual({ sentence: words, details: null })
  expect(plainFailure('connect ECONNREFUSED', null)).toEqual({ sentence: 'connect ECONNREFUSED', details: null })
})

test('a stored error is about the server of its protocol', () => {
  const error = 'IMAP: connect ECONNREFUSED 127.0.0.1:993'
  expect(plainStoredError(error, { smtp, imap })).toEqual({
    sentence: 'The server imap.example.com does not accept connections on port 993.',
    details: error,
  })
  expect(plainStoredError('SMTP: 535 no', { smtp, imap })).toEqual({ sentence: 'SMTP: 535 no', details: null })
})
