/** Read before a program: when whoever started it is gone, killed or not, it goes as well. */
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.channel?.unref()
