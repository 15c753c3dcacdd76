import type { ConversationNote } from '@overture/sdk'
import { Time } from '../../platform/time/now.tsx'
import { AskFirst, say, Soft } from '../../platform/ui/index.ts'
import { PlainText } from '../../platform/frame/index.ts'
import { useDeleteNote } from './notes.actions.ts'
import { text } from './notes.messages.ts'
import { useColleagues } from '../../users/index.ts'
import styles from '../inbox.module.css'

/** A note between the messages of a conversation. */
export function NoteShown({ conversationId, note }: { conversationId: string; note: ConversationNote }) {
  const colleagues = useColleagues()
  const remove = useDeleteNote(conversationId, note.id, () => say(text.removed))
  const colleagueName = (id: string): string => {
    const user = colleagues.find((one) => one.id === id)
    return user?.name ?? user?.email ?? text.formerUser
  }
  return (
    <article className={styles['note']} aria-label={text.by(note.author.name ?? text.unknownAuthor)}>
      <header className={styles['noteHead']}>
        <strong>{text.by(note.author.name ?? text.unknownAuthor)}</strong>
        <Soft>
          <Time at={note.createdAt} />
        </Soft>
        <AskFirst small label={text.remove} title={text.removeTitle} operation="deleteNote" danger action={remove}>
          {text.removeText}
        </AskFirst>
      </header>
      {note.mentions.length > 0 && <p>{text.mentions(note.mentions.map(colleagueName).join(', '))}</p>}
      <p className={styles['noteText']}>
        <PlainText>{note.text}</PlainText>
      </p>
    </article>
  )
}
