import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { eventTypes, type EventType } from '@overture/contract/events/events.ts'
import type { Event, UnknownEvent } from '@overture/sdk'
import { sign } from '@overture/sdk/webhooks'
import { InvalidArgumentError, type Command } from 'commander'
import { connectClient, withClientOptions, type ClientOptions } from './client.ts'

interface TailOptions extends ClientOptions {
  after?: string
  type?: EventType[]
  campaign?: string
}

interface ListenOptions extends TailOptions {
  forwardTo: string
  secret?: string
}

const triesMax = 5
const firstPauseMs = 1_000
const postTimeoutMs = 15_000
const secretBytes = 24

export function registerEvents(program: Command): void {
  const events = program.command('events').description('The event log')
  followed(events.command('tail').description('Print each new event as a line of JSON')).action(tail)
}

/** `overture listen`: posts events as webhooks to a program on this machine, without a tunnel. */
export function registerListen(program: Command): void {
  followed(
    program
      .command('listen')
      .description('Send each new event, signed like a webhook, to a program on this machine')
      .requiredOption('--forward-to <url>', 'URL of the program')
      .option('--secret <whsec>', 'the signing secret (default: a new one, which is printed)'),
  ).action(listen)
}

/** `overture trigger`: sends a sample event to an existing webhook. */
export function registerTrigger(program: Command): void {
  withClientOptions(
    program
      .command('trigger <type>')
      .description('Send a sample of an event, such as reply.received, to a webhook')
      .requiredOption('--webhook <id>', 'id of the webhook'),
  ).action(async (type: string, options: ClientOptions & { webhook: string }) => {
    const delivery = await (await connectClient(options)).webhooks.test(options.webhook, { type: parseEventType(type) })
    console.log(`${delivery.id} is queued: overture api webhooks.deliveries.list ${options.webhook}`)
  })
}

function followed(command: Command): Command {
  return withClientOptions(command)
    .option('--after <id>', 'start after this event instead of now')
    .option('--type <type>', 'only events of this type (can be repeated)', (type, before: EventType[] | undefined) => [
      ...(before ?? []),
      parseEventType(type),
    ])
    .option('--campaign <id>', 'only events of this campaign')
}

function parseEventType(text: string): EventType {
  const found = eventTypes.find((type) => type === text)
  if (found === undefined) throw new InvalidArgumentError(`Use one of ${eventTypes.join(', ')}.`)
  return found
}

async function* follow(options: TailOptions): AsyncGenerator<Event | UnknownEvent> {
  const client = await connectClient(options)
  const { after, type: types, campaign: campaignId } = options
  yield* client.events.follow({
    ...(after !== undefined && { after }),
    ...(types !== undefined && { types }),
    ...(campaignId !== undefined && { campaignId }),
  })
}

async function tail(options: TailOptions): Promise<void> {
  for await (const event of follow(options)) console.log(JSON.stringify(event))
}

async function listen(options: ListenOptions): Promise<void> {
  const { secret = `whsec_${randomBytes(secretBytes).toString('base64')}`, forwardTo } = options
  if (options.secret === undefined) console.log(`signed with ${secret}`)
  for await (const event of follow(options)) {
    const outcome = await post(forwardTo, event, secret)
    console.log(`${event.occurredAt}  ${event.type}  ${event.id}  ${outcome}`)
  }
}

/**
 * Posts an event, with retries, before the next one is posted, so that events stay in order like a webhook's deliveries. Returns the
 * outcome of the last attempt.
 */
async function post(url: string, event: Event | UnknownEvent, secret: string): Promise<string> {
  const body = JSON.stringify(event)
  let outcome = ''
  for (let tries = 0, pauseMs = firstPauseMs; tries < triesMax; tries++, pauseMs *= 2) {
    if (tries > 0) await wait(pauseMs)
    const headers = { 'content-type': 'application/json', ...(await sign(body, { id: event.id, secret })) }
    const signal = AbortSignal.timeout(postTimeoutMs)
    const answer = await fetch(url, { method: 'POST', headers, body, signal }).catch((error: Error) => error)
    outcome = answer instanceof Error ? `no response (${answer.message})` : String(answer.status)
    if (!(answer instanceof Error)) await answer.arrayBuffer()
    if (!(answer instanceof Error) && answer.ok) return outcome
  }
  return `${outcome}, given up`
}
