import type { OptOutWords } from './words.ts'

export const en: OptOutWords = {
  from: 'from {name}',
  fromUnknown: 'from this sender',
  states: {
    ask: ['Stop emails {from}?', '{address} will get no more emails {from}.'],
    done: ['You are unsubscribed', '{address} gets no more emails {from}. You can close this page.'],
    other: ['The address is unsubscribed', 'It gets no more emails {from}. You can close this page.'],
    invalid: ['This is not an email address', 'Please enter the whole address.'],
    too_many: [
      'Too many addresses',
      'This link can unsubscribe no further address. Please reply to the message with the word “unsubscribe”.',
    ],
    gone: [
      'This account was closed',
      'The sender closed the account, and all data about you was deleted. You get no more emails from it.',
    ],
    failed: [
      'You are not unsubscribed yet',
      'Your request could not be saved. Please try again in a minute, or reply to the message with the word “unsubscribe”.',
    ],
    unknown: [
      'This link does not work',
      'The link is incomplete or not valid. Please use the whole link from the message.',
    ],
  },
  confirm: 'Yes, unsubscribe',
  another: {
    title: 'Another address?',
    text: 'If this is not your address, enter the one that got the message.',
    button: 'Unsubscribe this address',
  },
}
