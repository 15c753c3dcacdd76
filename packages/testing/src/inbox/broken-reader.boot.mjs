// Replaces the thread that reads mail by one that can't start.
throw new Error('No such module.')
