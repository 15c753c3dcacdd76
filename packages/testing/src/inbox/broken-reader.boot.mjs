// In the place of the thread that reads mail: one that can't even start.
throw new Error('No such module.')
