import type { SmtpConnectOptions } from '../platform/mail/smtp-connect.client.ts'
import type { SmtpPool } from '../platform/mail/smtp-pool.client.ts'
import type { SmtpPoint, SmtpResult as SessionResult } from '../platform/mail/smtp-result.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { FaultPoint, SendRequest, SmtpResult, SmtpStage, Transport } from './transport.ts'

/** How to reach a sender's server; may refresh a token. A throw is a failed login. */
export type ConnectSender = (tenant: Tenant, sendingAccountId: string) => Promise<SmtpConnectOptions>

const faultOf: Partial<Record<SmtpPoint, FaultPoint>> = {
  connect: 'F4', auth: 'F5', mail: 'F6', rcpt: 'F7', data: 'F8', mid_body: 'F9', body_done: 'F10', gated: 'F12',
  half_terminator: 'F13', terminated: 'F14',
}

/** Real mail servers, over pooled connections, one lane a sender. */
export function createSmtpTransport(options: { pool: SmtpPool; connect: ConnectSender; faultsArmed: boolean }): Transport {
  return {
    async send(request) {
      const onPoint = options.faultsArmed ? (point: SmtpPoint) => hit(request, point) : undefined
      const result = await options.pool.send(
        `${request.tenant.accountId} ${request.tenant.environment} ${request.sendingAccountId}`,
        () => options.connect(request.tenant, request.sendingAccountId),
        { envelope: request.envelope, raw: request.bytes, gate: request.gate, ...(onPoint === undefined ? {} : { onPoint }) },
      )
      return toResult(result)
    },
  }
}

async function hit(request: SendRequest, point: SmtpPoint): Promise<void> {
  const fault = faultOf[point]
  if (fault !== undefined) await request.hit(fault)
}

function toResult(result: SessionResult): SmtpResult {
  switch (result.kind) {
    case 'accepted':
      return { kind: 'accepted', answer: result.answer }
    case 'refused':
      return { kind: 'refused', stage: toStage(result.stage), code: result.code, status: result.enhanced, answer: result.answer }
    case 'withheld':
      return { kind: 'gate_closed', reason: result.error instanceof Error ? result.error.message : 'gate' }
    case 'dropped':
      if (result.terminatorSent) return { kind: 'in_doubt', reason: result.message }
      return { kind: 'failed', stage: toStage(result.stage), reason: result.message }
  }
}

function toStage(stage: SessionResult extends infer R ? (R extends { stage: infer S } ? S : never) : never): SmtpStage {
  return stage === 'end' ? 'message' : stage
}
