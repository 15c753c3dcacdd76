import { noteEndpoints } from '@overture/contract/inbox/notes.ts'
import { hasRole } from '@overture/contract/team/roles.ts'
import { callerActor } from '../../platform/http/audit-facts.ts'
import { command, type Route } from '../../platform/http/route.ts'
import { addNote, removeNote } from './notes.commands.ts'

/** Routes for what users write for colleagues. */
export function noteRoutes(): Route[] {
  return [
    command(noteEndpoints.createNote, ({ tenant, caller, now }, { params, body }, tx) =>
      addNote(tx, tenant, { ...body, conversationId: params.id, author: callerActor(caller), now }),
    ),
    command(noteEndpoints.deleteNote, ({ tenant, caller }, { params }, tx) =>
      removeNote(tx, tenant, {
        conversationId: params.id,
        noteId: params.noteId,
        caller: callerActor(caller),
        isAdmin: hasRole(caller.role, 'admin') && caller.scopes.includes('admin'),
      }),
    ),
  ]
}
