export { MailFrame } from './mail-frame.tsx'
export { MailText } from './mail-text.tsx'
export { PlainText } from './plain-text.tsx'
