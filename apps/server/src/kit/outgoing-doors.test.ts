import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Other files that open connections, and why they need no address check. */
const others: Readonly<Record<string, string>> = {
  'kit/outgoing.ts': 'the door itself',
  'kit/local-call.ts': 'the Unix socket of the ingest',
  'domains/telemetry/open-forward.ts': 'the Unix socket of the ingest',
  'domains/notify/senders.ts': "mail to the operator's own server, named in the environment",
  'domains/telemetry/mqtt/bridge.ts': "the operator's own broker, named in the environment",
}
const signs = [
  /\bfetch\(/,
  /\bnew (WebSocket|EventSource|Socket)\(/,
  /\b(connect|createConnection)\((\{|\w*(host|port|url)\b)/i,
  /import \{[^}]*\b(request|get|connect|createConnection|Socket as)\b[^}]*\} from 'node:(http|https|http2|net|tls)'/,
  /import \* as \w+ from 'node:(http|https|http2|net|tls|dgram)'/,
  /import \w+(, \{[^}]*\})? from '(node:(http|https|http2|net|tls|dgram)|nodemailer|mqtt|undici|axios|got)'/,
  /from '(undici|axios|got|node-fetch)'/,
]

test('nobody calls out but by the one door', () => {
  const root = join(import.meta.dirname, '..')
  const files = globSync('**/*.ts', { cwd: root }).filter((file) => !/(\.test|\.fixtures|-for-test)\.ts$/.test(file))
  const opens = files.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8').replace(/^import type .*$/gm, '')
    return signs.some((sign) => sign.test(text))
  })
  expect(opens.sort()).toEqual(Object.keys(others).sort())
})
