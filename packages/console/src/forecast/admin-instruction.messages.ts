import { words } from '../platform/text/words.ts'

/** The steps for the administrator of the server, to be pasted into a message. */
export const { adminInstruction } = words('adminInstruction', {
  adminInstruction: `Recipients of our mail can't open its links yet, because Overture has no public https address.

1. Point a public host name, such as overture.example.com, at the server of Overture, with https in front of it.
2. Set OVERTURE_PUBLIC_URL to this address, for example https://overture.example.com
3. Restart Overture.

Live campaigns can start after that.
`,
})
