import { listExecs, updateTrigger } from '@zhugong/contract/rules/endpoints'
import type { TriggerRow } from '@zhugong/contract/rules/model'
import { Button, Dropdown } from 'antd'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { call, useCall } from '#kit/call.ts'
import { useCan, withCode } from '#kit/can.tsx'
import { useEach } from '#kit/each.ts'

type Change = { enabled?: boolean; execIds?: string[]; reason?: string }

/** Batch actions on rules. */
export function TriggerBatch({ rows, projectCode, onDone }: { rows: readonly TriggerRow[]; projectCode: string; onDone: () => void }) {
  const mayEnable = useCan(withCode(updateTrigger, 'rules.enable'))
  const mayEdit = useCan(updateTrigger)
  const each = useEach('条', onDone)
  const { running } = each
  const execs = useCall(
    listExecs,
    { query: { projectCode, size: 200 } },
    { enabled: mayEdit && rows.length > 0, quiet: true, staleMs: 60_000 },
  )

  const changeAll = (todo: readonly TriggerRow[], part: (row: TriggerRow) => Change, verb: string) =>
    each.run(todo, verb, (row) => call(updateTrigger, { params: { id: row.id }, body: { version: row.version, ...part(row) } }))
  const off = async () => {
    const todo = rows.filter((row) => row.enabled)
    const open = todo.reduce((sum, row) => sum + row.openNow, 0)
    const yes = await confirmDanger({
      thing: `停用 ${todo.length} 条规则`,
      consequence: open > 0 ? `未恢复的 ${open} 条告警随之解除，原因记为规则停用。` : '停用后不再判定。',
      verb: open > 0 ? `停用，解除 ${open} 条` : '停用规则',
      keep: '继续使用',
    })
    if (!yes) return
    const isSerious = todo.some((row) => row.projectCode === null && row.levels.some((l) => l.level === 1))
    const reason = isSerious ? await askReason(`停用 ${todo.length} 条规则`, '停用原因') : ''
    if (reason !== undefined) await changeAll(todo, () => ({ enabled: false, reason: reason || undefined }), '停用')
  }
  const waiting = rows.filter((row) => !row.enabled)
  return (
    <>
      {mayEnable && (
        <>
          <Button
            loading={running}
            disabled={waiting.length === 0}
            onClick={() => void changeAll(waiting, () => ({ enabled: true }), '启用')}
          >
            启用
          </Button>
          <Button loading={running} disabled={waiting.length === rows.length} onClick={() => void off()}>
            停用
          </Button>
        </>
      )}
      {mayEdit && (
        <Dropdown
          menu={{
            items: (execs.data?.list ?? []).map((one) => ({ key: one.id, label: `${one.name}（${one.kindName}）` })),
            onClick: ({ key }) => {
              const todo = rows.filter((row) => !row.execIds.includes(key))
              void changeAll(todo, (row) => ({ execIds: [...row.execIds, key] }), '绑定')
            },
          }}
          disabled={!execs.data?.list.length}
        >
          <Button loading={running}>绑定动作</Button>
        </Dropdown>
      )}
    </>
  )
}
