import { openSecrets, smtpOptions } from '../../sending-accounts/index.ts'
import type { App } from '../../platform/app.ts'
import { SecretError } from '../../platform/crypto/secrets.shell.ts'
import type { SmtpConnectOptions } from '../../platform/mail/smtp-connect.client.ts'
import type { SmtpPool } from '../../platform/mail/smtp-pool.client.ts'
import { droppedBefore, type SmtpPoint, type SmtpResult } from '../../platform/mail/smtp-result.ts'
import type { SendRequest, Transport } from '../transport.ts'

/** Sends to real mail servers over pooled connections, with one lane per sender. */
export function createSmtpTransport(options: { app: App; pool: SmtpPool; faultsArmed: boolean }): Transport {
  const { app, pool, faultsArmed } = options
  return {
    async send(request) {
      const onPoint = faultsArmed ? (point: SmtpPoint) => request.hit(point) : undefined
      try {
        return await pool.send(
          { key: smtpLane(request.tenant, request.sendingAccountId), version: request.connectionVersion },
          () => connectOptions(app, request),
          {
            envelope: request.envelope,
            raw: request.bytes,
            gate: () => request.gate(),
            ...(request.begun === undefined ? {} : { begun: request.begun }),
            ...(onPoint === undefined ? {} : { onPoint }),
          },
        )
      } catch (error) {
        if (error instanceof SenderUnreachable) return error.result
        throw error
      }
    },
  }
}

/** The sender can't log in. Thrown before any part of a message was sent. */
class SenderUnreachable extends Error {
  readonly result: SmtpResult

  constructor(result: SmtpResult) {
    super("The sending account can't be used.")
    this.result = result
  }
}

async function connectOptions(app: App, request: SendRequest): Promise<SmtpConnectOptions> {
  const { tenant, sendingAccountId } = request
  const secrets = await openSecrets(app, tenant, sendingAccountId).catch((error: Error) => {
    const reason = error.message
    if (error instanceof SecretError) throw new SenderUnreachable(droppedBefore('connect', 'unavailable', reason))
    // The database is unavailable, not the mailbox. The claim is released and the sender keeps its status.
    app.log.warn({ event: 'delivery.secrets_not_read', sendingAccountId, reason })
    throw new SenderUnreachable({ kind: 'withheld', reason })
  })
  switch (secrets.kind) {
    case 'ready':
      return smtpOptions(app, secrets)
    case 'auth_required':
      throw new SenderUnreachable({ kind: 'refused', stage: 'auth', code: 535, status: null, answer: secrets.message })
    case 'unavailable':
      throw new SenderUnreachable(droppedBefore('connect', 'unavailable', secrets.message))
    case 'sandbox':
    case 'missing':
      throw new SenderUnreachable(droppedBefore('connect', 'unavailable', 'The sending account has no mail server.'))
  }
}

/** The key of a sender's connections in the pool. */
export function smtpLane(tenant: SendRequest['tenant'], sendingAccountId: string): string {
  return `${tenant.accountId} ${tenant.environment} ${sendingAccountId}`
}
