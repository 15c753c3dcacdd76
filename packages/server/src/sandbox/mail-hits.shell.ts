import type { Transaction } from '../platform/db/database.ts'
import type { NewEvent } from '../platform/events/events.sql.ts'
import type { Tenant } from '../platform/tenant.ts'
import { findLinks } from './mail-links.ts'
import { openMail } from './mailbox.queries.ts'
import { listHitMails } from './mailbox.sql.ts'
import type { HitAct } from './prospect.ts'
import type { PublicPages, Visit } from './virtual-world.ts'

/** A recipient or their gateway opens, scans or clicks a delivered message. */
export interface MailHit {
  mailboxId: string
  act: HitAct
  at: Date
}

/** Applies opens, scans and clicks in order. Returns the events to store in the log. */
export async function applyMailHits(
  pages: PublicPages,
  tx: Transaction,
  tenant: Tenant,
  hits: readonly MailHit[],
): Promise<NewEvent[]> {
  if (hits.length === 0) return []
  const rows = await listHitMails(tx, tenant, [...new Set(hits.map(({ mailboxId }) => mailboxId))])
  const mails = new Map(rows.map((row) => [row.id, row]))
  const visits: Visit[] = []
  for (const { mailboxId, act, at } of hits) {
    const mail = mails.get(mailboxId)
    if (mail === undefined) continue
    const browser = act === 'scan' ? gateway : person(mail.address)
    for (const url of chooseUrls(act, findLinks(openMail(mail.raw).html ?? '')))
      visits.push({ url, ...browser, now: at })
  }
  return visits.length === 0 ? [] : pages.visit(tx, tenant, visits)
}

/** Applies one open or click. Returns null if the message contains nothing that is tracked. */
export async function applyMailHit(
  pages: PublicPages,
  tx: Transaction,
  tenant: Tenant,
  { mail, act, url, now }: { mail: HitMail; act: 'open' | 'click'; url: string | undefined; now: Date },
): Promise<NewEvent[] | null> {
  const { pixels, clicks } = findLinks(openMail(mail.raw).html ?? '')
  const links = clicks.filter((link) => url === undefined || pages.targetOf(link) === url)
  const [wanted] = act === 'open' ? pixels : links
  return wanted === undefined ? null : pages.visit(tx, tenant, [{ url: wanted, ...person(mail.address), now }])
}

interface HitMail {
  raw: Buffer
  address: string
}

function chooseUrls(act: HitAct, { pixels, clicks }: ReturnType<typeof findLinks>): string[] {
  switch (act) {
    case 'open':
      return pixels
    case 'click':
      return [...pixels.slice(0, 1), ...clicks.slice(0, 1)]
    case 'scan':
      return [...pixels, ...clicks]
  }
}

type Browser = Pick<Visit, 'userAgent' | 'ip'>

const gateway: Browser = { userAgent: 'Mozilla/5.0 (compatible; MailGateway LinkScanner/2.1)', ip: '192.0.2.80' }

// Documentation addresses (RFC 5737), which belong to no one.
export function person(address: string): Browser {
  const host = 1 + ((address.length * 37) % 250)
  return {
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0',
    ip: `198.51.100.${host}`,
  }
}
