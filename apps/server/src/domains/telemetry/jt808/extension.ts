import { unreachable, wordOf } from '../command-words.ts'
import { Guesses } from '../guesses.ts'
import type { CommandRequest, Extension } from '../ingest/extension.ts'
import type { CommandAnswer } from '../local.ts'
import { downlinkOf } from './downlink.ts'
import { listenJt808 } from './listener.ts'
import type { Jt808Session } from './session.ts'
import { Terminals } from './terminals.ts'
import { jt808Trial, terminalDialects } from './trial.ts'

/** Vehicle terminals over TCP and UDP, JT/T 808. */
export const jt808: Extension = {
  name: 'jt808',
  trial: jt808Trial,
  dialects: terminalDialects,
  async start(ctx) {
    const { config, pool } = ctx
    const guesses = new Guesses()
    const listener = await listenJt808({ ...ctx, host: config.host, port: config.jt808Port, terminals: new Terminals(pool), guesses })
    return {
      ports: { jt808: listener.port },
      downlink: { protocol: 'jt808', send: (command, device) => sendOver(listener.sessionOf(device.id), command) },
      changed({ table, id }) {
        // The registered plate may have changed.
        if (table === 'device') guesses.forgive(id)
      },
      stopTaking: () => listener.close(),
    }
  },
}

async function sendOver(session: Jt808Session | undefined, { cmdId, cmd, params, expireAt }: CommandRequest): Promise<CommandAnswer> {
  if (!session) return unreachable(cmdId, '终端不在线，指令未下发')
  const downlink = downlinkOf(cmd, params, session.speaks2019)
  if (!downlink) return unreachable(cmdId, '终端不支持该指令或参数不正确')
  const answer = await session.request(downlink, expireAt)
  return { cmdId, message: answer.result === 0 ? '终端已应答' : (wordOf(answer.result) ?? `终端拒绝（${answer.result}）`), ...answer }
}
