import { normalizeDomain, normalizeEmail } from '@overture/contract/addresses.ts'
import { signalEndpoints, type Signal } from '@overture/contract/signals/signals.ts'
import { answerList, byId } from '../platform/http/paging.ts'
import { command, query, type Route } from '../platform/http/route.ts'
import { receiveSignals } from './signals.commands.ts'
import { countSignals, listSignals, type SignalRow } from './signals.sql.ts'

export function signalRoutes(): Route[] {
  return [
    command(signalEndpoints.sendSignals, ({ tenant, now }, { body }, tx) =>
      receiveSignals(tx, tenant, { signals: body.signals, now }),
    ),
    query(signalEndpoints.listSignals, ({ app, tenant }, { query: listQuery }) => {
      const { name = null, email, domain, leadId = null } = listQuery
      const filter = {
        name,
        email: email === undefined ? null : normalizeEmail(email).email,
        domain: domain === undefined ? null : normalizeDomain(domain),
        leadId,
      }
      return answerList(listQuery, {
        key: byId,
        list: (range) => listSignals(app.db, tenant, filter, range),
        count: () => countSignals(app.db, tenant, filter),
        present: (rows) => rows.map(presentSignal),
      })
    }),
  ]
}

function presentSignal(row: SignalRow): Signal {
  return { ...row, occurredAt: row.occurredAt.toISOString(), createdAt: row.createdAt.toISOString() }
}
