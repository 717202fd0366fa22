import type { CertDueRow } from '@zhugong/contract/personnel/certificate-model'
import { ignoreCerts, remindCerts } from '@zhugong/contract/personnel/certificates'
import { formalStates } from '@zhugong/contract/personnel/codes'
import { setFormal } from '@zhugong/contract/personnel/workers'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { notify } from '#kit/notify.ts'

const itemsOf = (rows: readonly CertDueRow[]) => rows.map(({ projectWorkerId, subject }) => ({ projectWorkerId, subject }))

/** Actions on expiring certificates: remind the officers, ignore the alarm, or pause the people. */
export function useCertActs() {
  const reminding = useAct(remindCerts, { success: false })
  const ignoring = useAct(ignoreCerts, { success: false })
  const formal = useAct(setFormal, { success: false })
  const remind = async (rows: readonly CertDueRow[], clear: () => void = () => undefined) => {
    const done = await reminding.run({ body: { items: itemsOf(rows) } })
    if (!done) return
    clear()
    const { told, done: sent, gone } = done.data
    const passed = gone ? `，${gone} 项已不需处理` : ''
    if (told) notify.success(`已提醒 ${sent} 项，通知 ${told} 位证书经办人${passed}`)
    else notify.warning(`已记 ${sent} 项提醒，项目和所在单位没有其他证书经办人账号${passed}`)
  }
  const ignore = async (rows: readonly CertDueRow[], clear: () => void = () => undefined) => {
    const reason = await askReason(`忽略 ${rows.length === 1 ? `${rows[0]?.name} 的${rows[0]?.title}` : `${rows.length} 项`}`, '忽略原因')
    if (!reason) return
    const done = await ignoring.run({ body: { items: itemsOf(rows), reason } })
    if (!done) return
    clear()
    notify.success(`已忽略 ${done.data.done} 项，换证后重新计算`)
  }
  const pause = async (rows: readonly CertDueRow[], clear: () => void = () => undefined) => {
    const people = [...new Map(rows.map((r) => [r.projectWorkerId, r.name])).entries()]
    const names = people.map(([, name]) => name)
    const yes = await confirmDanger({
      thing: `暂停 ${names.slice(0, 8).join('、')}${names.length > 8 ? ` 等 ${names.length} 人` : ''} 作业`,
      consequence: '收回门禁授权，恢复作业前须补齐证书并转正式。',
      verb: `暂停 ${names.length} 人`,
      keep: '不暂停',
    })
    if (!yes) return
    const reason = rows.some((r) => r.urgency === 'missing') ? '特种工种无有效证书' : '证书到期'
    const done = await formal.run({ body: { ids: people.map(([id]) => id), status: formalStates.paused, reason } })
    if (!done) return
    clear()
    const [failed] = done.data.failed
    if (failed) notify.warning(`已暂停 ${done.data.done} 人，${done.data.failed.length} 人未暂停：${failed.name} ${failed.message}`)
    else notify.success(`已暂停 ${done.data.done} 人`)
  }
  return { remind, ignore, pause, reminding: reminding.running, pausing: formal.running }
}
