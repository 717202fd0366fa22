import { retention } from '@zhugong/contract/settings/system'
import { listenTo } from '#kit/listen'
import { forgetHappenings } from '../alarms/public.ts'
import type { NotifyDependencies } from './deps.ts'
import { tellDues } from './dues.ts'
import { followUp, readHappenings } from './happenings.ts'
import { createSendings, sendDue } from './sending.ts'
import { tellGroups } from './telling.ts'
import { tellWarnings } from './warnings.ts'

/** Polling interval in addition to notifications, which are lost if the connection breaks. */
const lookMs = 1_000
const cleanMs = 3_600_000
const outboxDays = 7

/** Starts the notifier in the jobs role. All state is in tables, so several processes may run and any may stop. */
export function startNotices(deps: NotifyDependencies, databaseUrl: string): { stop(): Promise<void> } {
  let stopped = false
  let running: Promise<void> | undefined
  let again = false
  let cleanedAt = 0
  const sendings = createSendings(deps.log, () => look())
  const round = async () => {
    do {
      again = false
      try {
        const done =
          (await readHappenings(deps)) +
          (await followUp(deps)) +
          (await tellGroups(deps)) +
          (await tellWarnings(deps)) +
          (await sendDue(deps, sendings))
        if (done > 0) again = true
        if (deps.now() - cleanedAt > cleanMs) {
          cleanedAt = deps.now()
          await tellDues(deps)
          await cleanUp(deps)
        }
      } catch (error) {
        deps.log.warn({ err: error }, 'notices')
        again = false
      }
    } while (again && !stopped)
    running = undefined
  }
  function look() {
    if (stopped) return
    if (running) again = true
    else running = round()
  }
  const timer = setInterval(look, lookMs)
  const listener = listenTo(databaseUrl, 'zhugong-notices-listen', ['zg_alarm'], look)
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await listener.stop()
      await running
      await Promise.all(Object.values(sendings).map((way) => way.stop()))
      deps.senders.mail?.close()
    },
  }
}

/** Deletes processed events, old messages and logs. */
export async function cleanUp({ pool, now }: Pick<NotifyDependencies, 'pool' | 'now'>): Promise<void> {
  const before = (days: number) => new Date(now() - days * 86_400_000)
  const { rows } = await pool.query<{ value: unknown }>(`select value from setting where key = 'retention'`)
  const kept = retention.parse(rows[0]?.value ?? {})
  await forgetHappenings(pool, before(outboxDays))
  await pool.query('delete from message where create_time < $1', [before(kept.messageDays)])
  await pool.query('delete from exec_log where create_time < $1', [before(kept.logDays)])
}
