import { z } from 'zod'
import { namedObject } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { confirmation, confirmText, oldSessionText } from './confirmation.ts'

const shared = { scope: 'write', role: 'viewer', tag: 'Team' } as const

/** For signed-in people only. A key gets 403. */
export const totpEndpoints = {
  beginTotp: endpoint({
    ...shared,
    operationId: 'beginTotp',
    call: 'me.totp.begin',
    method: 'POST',
    path: '/v2/me/totp',
    environment: 'live',
    summary: 'Begin to use an authenticator',
    description:
      'A secret for an app that shows codes, shown once; it counts when `confirm` was told a code of it. With one ' +
      `in use, 409. For people who are signed in: ${oldSessionText}`,
    body: namedObject('BeginTotpInput', { confirm: confirmation.optional() }),
    success: [201],
    output: namedObject('TotpSecret', { secret: z.string().optional(), url: z.string().optional() }),
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: {
      body: { confirm: { password: 'seven stale violins hum' } },
      output: { secret: 'JBSWY3DPEHPK3PXP', url: 'otpauth://totp/Overture:ada%40example.com?secret=JBSWY3DPEHPK3PXP' },
    },
    secretFields: ['secret', 'url'],
  }),
  confirmTotp: endpoint({
    ...shared,
    operationId: 'confirmTotp',
    call: 'me.totp.confirm',
    method: 'POST',
    path: '/v2/me/totp/confirm',
    environment: 'live',
    summary: 'Use the authenticator from now on',
    description: 'Answers ten codes for the day that the authenticator is lost, each good once, shown once.',
    body: namedObject('ConfirmTotpInput', { code: z.string().trim().max(40) }),
    success: [200],
    output: namedObject('RecoveryCodes', { recoveryCodes: z.array(z.string()).optional() }),
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: { body: { code: '123456' }, output: { recoveryCodes: ['abcd-efgh-ijkm-npqr'] } },
    secretFields: ['recoveryCodes'],
  }),
  endTotp: endpoint({
    ...shared,
    operationId: 'endTotp',
    call: 'me.totp.end',
    method: 'DELETE',
    path: '/v2/me/totp',
    environment: 'live',
    summary: 'Use no authenticator any more',
    description: `The recovery codes end with it. For that, ${confirmText} The user is notified by system mail, if it is configured.`,
    body: namedObject('EndTotpInput', { confirm: confirmation.optional() }),
    success: [200],
    output: namedObject('TotpOff', { totp: z.literal(false) }),
    errors: ['NOT_FOUND'],
    examples: { body: { confirm: { code: '123456' } }, output: { totp: false } },
  }),
}
