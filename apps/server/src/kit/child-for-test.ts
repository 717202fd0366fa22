// A supervised child process for tests: its first argument selects its behaviour.
import { exitWithParent, reportReady, supervise } from './supervise.ts'

const [how = '', note = ''] = process.argv.slice(2)
exitWithParent(500)
process.on('SIGTERM', () => {
  console.log('收到')
  if (how !== 'stubborn') setTimeout(() => process.exit(0), 50)
})
// Ctrl-C sends SIGINT to the whole process group; ignore it here.
process.on('SIGINT', () => {})
console.log(`起 ${how} ${process.pid} ${process.env.CHILD_NOTE ?? ''}`)
if (how === 'crash') setTimeout(() => process.exit(3), 50)
else if (how === 'misconfigured') setTimeout(() => process.exit(2), 50)
else setInterval(() => {}, 1_000)
if (how === 'late') setTimeout(reportReady, 300)
if (how === 'parent') {
  supervise({
    children: ['polite', 'stubborn'].map((name) => ({ name, command: process.execPath, args: [process.argv[1] ?? '', name, note] })),
    log: { info() {}, warn() {}, error() {} },
  })
}
