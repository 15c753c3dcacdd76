import { createSocket } from 'node:dgram'
import ipaddr from 'ipaddr.js'

type RecordType = 'A' | 'AAAA' | 'TXT' | 'CNAME' | 'MX' | 'SRV'

/**
 * Records by type and lower-case name: addresses, TXT strings, CNAME targets, MX as `10 mx.example.com`, SRV as
 * `10 5 465 smtp.example.com`.
 */
export type DnsRecords = Partial<Record<RecordType, Record<string, string[]>>>

export interface DnsDouble {
  /** The value for OVERTURE_DNS_SERVERS. */
  server: string
  records: DnsRecords
  /** The queried names in lower case. */
  readonly asked: string[]
  /** Responds SERVFAIL to everything while true. */
  failing: boolean
  /** Names whose queries never get a response. */
  dead: (name: string) => boolean
  /** The TTL of every record. */
  ttlSeconds: number
  stop(): Promise<void>
}

const types: Record<number, RecordType> = { 1: 'A', 5: 'CNAME', 15: 'MX', 16: 'TXT', 28: 'AAAA', 33: 'SRV' }
const nameError = 3
const serverFailure = 2

/** Starts a name server on a loopback UDP port that knows only the given records. */
export async function startDnsDouble(
  records: DnsRecords,
  at: { host: string; port: number } = { host: '127.0.0.1', port: 0 },
): Promise<DnsDouble> {
  const socket = createSocket('udp4')
  const dead = (_name: string): boolean => false
  const double = { records, asked: [] as string[], failing: false, dead, ttlSeconds: 60 }
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    double.asked.push(name)
    if (double.dead(name)) return
    const kind = types[type]
    const values = kind === undefined || double.failing ? undefined : own(double.records[kind], name)
    const answers = (values ?? []).map((value) => resource(type, double.ttlSeconds, encoders[kind ?? 'CNAME'](value)))
    // A name with records of other types gets an empty response. Only a name without any records gets NXDOMAIN.
    const known = Object.values(double.records).some((names) => own(names, name) !== undefined)
    const code = double.failing ? serverFailure : known ? 0 : nameError
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8580 | code, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(at.port, at.host, resolve))
  return Object.assign(double, {
    server: `${at.host}:${socket.address().port}`,
    stop: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  })
}

/** Checks own properties, since a name may equal a property of every object, such as `constructor`. */
function own(names: Record<string, string[]> | undefined, name: string): string[] | undefined {
  return names !== undefined && Object.hasOwn(names, name) ? names[name] : undefined
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  while ((query[at] ?? 0) !== 0) {
    const length = query[at] ?? 0
    labels.push(query.subarray(at + 1, at + 1 + length).toString('latin1'))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

const encoders: Record<RecordType, (value: string) => Buffer> = {
  A: (value) => Buffer.from(ipaddr.parse(value).toByteArray()),
  AAAA: (value) => Buffer.from(ipaddr.parse(value).toByteArray()),
  TXT: text,
  CNAME: encodeName,
  MX: exchange,
  SRV: service,
}

/** Encodes a record for the name in the question. */
function resource(type: number, ttlSeconds: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(ttlSeconds, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function text(value: string): Buffer {
  const parts = value.match(/.{1,255}/gs) ?? ['']
  return Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')])))
}

function exchange(value: string): Buffer {
  const [priority = '10', name = ''] = value.split(' ')
  const head = Buffer.alloc(2)
  head.writeUInt16BE(Number(priority))
  return Buffer.concat([head, encodeName(name)])
}

function service(value: string): Buffer {
  const [priority = '0', weight = '0', port = '0', name = ''] = value.split(' ')
  const head = Buffer.alloc(6)
  for (const [index, number] of [priority, weight, port].entries()) head.writeUInt16BE(Number(number), index * 2)
  return Buffer.concat([head, encodeName(name)])
}

function encodeName(name: string): Buffer {
  const labels = name.replace(/\.$/, '').split('.').filter(Boolean)
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ])
}
