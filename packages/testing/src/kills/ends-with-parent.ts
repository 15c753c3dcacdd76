/** Preloaded before a program. Kills the process when its parent exits or is killed. */
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.channel?.unref()
