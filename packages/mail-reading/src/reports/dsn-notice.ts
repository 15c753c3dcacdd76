import { sequence } from '@overture/ground/text/patterns.ts'
import { decodeText, findHeader, walkParts } from '../mime/mime.ts'
import { readMessageIds, shownParts } from '../mime/mail.ts'
import type { Mail } from '../mime/mail.ts'
import { readHeaders } from '../mime/mime-headers.ts'

/** The parts of a report that is written for people: the server's text, and the data of the returned copy. */
export interface Notice {
  text: string
  /** The Message-IDs of the returned message. */
  messageIds: string[]
  originalTo: string | null
  originalFrom: string | null
}

const noticeLimit = 64 * 1024

/** Lines with which servers announce the copy of the message. */
const copyMarks = [
  sequence(
    [
      /^[ \t]*[-=*#_|]{2,80}[^\n]{0,60}\b/,
      [/cop(?:y|ie)|original|returned?|unsent|undelivered|nachricht|message text|header/],
      /\b[^\n]{0,80}\b/,
      [/message|mail|headers?|follows?|below|following|including|attached|info|text|kopie|originale?/, /nachricht/],
      /\b[^\n]{0,80}$/,
    ],
    'im',
  ),
  sequence(
    [
      /^[ \t]*(?:possibly truncated )?(?:the )?(?:original |returned |unsent |undelivered |your )?(?:message|mail)/,
      /(?: text| headers?| contents?| body)? /,
      [/follows?|is (?:attached|included|enclosed|below)|as follows/],
      /\b[^\n]{0,60}$/,
    ],
    'im',
  ),
  /^[ \t]*(?:included|enclosed|attached|below|here|following) is (?:a |the )?(?:copy|original|message|headers?)[^\n]{0,80}$/im,
  /^[ \t]*original message(?: headers?)?:?[ \t]*$/im,
  /^[ \t]*-{2,60}[ \t]*(?:original|returned|forwarded|ursprüngliche|message)[^\n]{0,60}$/im,
  /^(?:Received|Return-Path|DKIM-Signature|X-Google-Smtp-Source|ARC-Seal|X-Received): \S/m,
]

export function readNotice(mail: Mail): Notice {
  const plain = [...shownParts(mail.root)]
    .filter((part) => part.type !== 'text/html' && part.type !== 'text/rfc822-headers')
    .map(decodeText)
  const texts = plain.some((text) => text.trim() !== '') ? plain : [mail.text]
  const whole = texts.join('\n').slice(0, noticeLimit * 4)
  const cut = cutAtCopy(whole)
  const copies = [whole.slice(cut), ...enclosedHeaders(mail)]
  return {
    text: whole.slice(0, Math.min(cut, noticeLimit)),
    messageIds: [...new Set(copies.flatMap(findMessageIds))].slice(0, 20),
    originalTo: firstAddress(copies, toLine),
    originalFrom: firstAddress(copies, fromLine),
  }
}

function cutAtCopy(text: string): number {
  const starts = copyMarks.map((mark) => mark.exec(text)?.index).filter((index) => index !== undefined && index > 0)
  return Math.min(text.length, ...(starts as number[]))
}

function enclosedHeaders(mail: Mail): string[] {
  const found: string[] = []
  for (const part of walkParts(mail.root)) {
    if (
      part.type === 'message/rfc822' ||
      part.type === 'text/rfc822-headers' ||
      part.type === 'message/global' ||
      part.type === 'message/rfc822-headers'
    ) {
      found.push(part.body.slice(0, noticeLimit))
    }
  }
  return found.slice(0, 10)
}

function findMessageIds(copy: string): string[] {
  return [
    ...copy
      .slice(0, noticeLimit)
      .matchAll(/^[ \t>]{0,8}(?:X-Microsoft-Original-)?Message-ID:\s{0,4}(<[^<>\s]{1,990}>)/gim),
  ]
    .slice(0, 5)
    .map((match) => match[1]!)
}

function firstAddress(copies: readonly string[], line: RegExp): string | null {
  const found = copies.map((copy) => line.exec(copy.slice(0, noticeLimit))?.[1])
  return found.find((address) => address !== undefined) ?? null
}

const toLine =
  /^[ \t>]{0,8}(?:X-Original-To|Delivered-To|To):[^\n]{0,200}?([^\s<>,;:"'()]{1,100}@[^\s<>,;:"'()]{1,200})/im
const fromLine = /^[ \t>]{0,8}From:[^\n]{0,200}?([^\s<>,;:"'()]{1,100}@[^\s<>,;:"'()]{1,200})/im

/** Microsoft keeps a Message-ID that it replaced in the second header. */
const idHeaders = ['message-id', 'x-microsoft-original-message-id']

/** The Message-IDs of all enclosed messages. */
export function enclosedMessageIds(mail: Mail): string[] {
  const ids = enclosedHeaders(mail).flatMap((text) => {
    try {
      const { headers } = readHeaders(text)
      return idHeaders.flatMap((name) => readMessageIds(findHeader({ headers }, name)))
    } catch {
      return []
    }
  })
  return [...new Set(ids)]
}
