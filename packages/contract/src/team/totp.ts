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
    summary: 'Set up an authenticator',
    description:
      'Returns the secret for an authenticator app, shown only once. The authenticator is active after `confirm` ' +
      `received a code. The response is 409 if one is already active. Only for signed-in users: ${oldSessionText}`,
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
    summary: 'Confirm an authenticator',
    description:
      'Activates the authenticator and returns ten recovery codes, shown only once. Each signs the user in once if the ' +
      'authenticator is lost.',
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
    summary: 'Remove the authenticator',
    description:
      `The recovery codes stop working, too. For this, ${confirmText} The user is notified by system mail, if it is ` +
      'configured.',
    body: namedObject('EndTotpInput', { confirm: confirmation.optional() }),
    success: [200],
    output: namedObject('TotpOff', { totp: z.literal(false) }),
    errors: ['NOT_FOUND'],
    examples: { body: { confirm: { code: '123456' } }, output: { totp: false } },
  }),
}
