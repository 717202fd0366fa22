import { listApps } from '@zhugong/contract/apps/app-endpoints'
import { type BatchCell, batchApps, batchDeadline, type GrantGroup, grantsOf } from '@zhugong/contract/apps/grant-endpoints'
import { Button, Input, Segmented } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Notice, Tag, type Tone } from '#kit/feedback.tsx'
import { call, showFailure } from '#kit/http.ts'
import { Choices, DayInput, NumberInput } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'

const words: Record<BatchCell['result'], { label: string; tone: Tone }> = {
  add: { label: '新增', tone: 'fine' },
  extend: { label: '延期', tone: 'running' },
  shorten: { label: '缩短', tone: 'warning' },
  same: { label: '不变', tone: 'neutral' },
  not: { label: '不可', tone: 'danger' },
  remove: { label: '撤销', tone: 'warning' },
}
/** Above this number of cells, a summary is shown before them. */
const summaryFrom = 200

/** Result for each group and app, as preview or after applying. */
export function Cells({ cells }: { cells: readonly BatchCell[] }) {
  const counted = (Object.keys(words) as BatchCell['result'][]).flatMap((result) => {
    const n = cells.filter((cell) => cell.result === result).length
    return n > 0 ? [`${words[result].label} ${n}`] : []
  })
  const causes = Map.groupBy(
    cells.filter((cell) => cell.result === 'not'),
    (cell) => cell.why,
  )
  return (
    <>
      <Notice tone={causes.size > 0 ? 'warning' : 'info'}>
        共 {cells.length} 格：{counted.join('，')}
        {[...causes].map(([why, hit]) => `；${hit.length} 格${why}`)}
      </Notice>
      <div className="apps-scroll">
        <table className="apps-table">
          <thead>
            <tr>
              <th>对象</th>
              <th>应用</th>
              <th>结果</th>
              <th>现到期</th>
              <th>新到期</th>
              <th>说明</th>
            </tr>
          </thead>
          <tbody>
            {cells.slice(0, summaryFrom).map((cell) => (
              <tr key={`${cell.groupId} ${cell.appId}`}>
                <td>{cell.groupName}</td>
                <td>{cell.appName}</td>
                <td>
                  <Tag tone={words[cell.result].tone}>{words[cell.result].label}</Tag>
                </td>
                <td>{cell.result === 'add' ? '--' : (cell.before ?? '长期')}</td>
                <td>{cell.result === 'remove' || cell.result === 'not' ? '--' : (cell.after ?? '长期')}</td>
                <td>{cell.why || '--'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {cells.length > summaryFrom && <p className="apps-note">只列出前 {summaryFrom} 格，其余按上面的数字执行。</p>}
    </>
  )
}

interface BatchProps {
  groups: readonly GrantGroup[]
  onDone: () => void
  onClose: () => void
}

/** Extends all grants of the selected groups by months or to a day, or sets one day for all; with a preview. */
export function ExtendDrawer({ groups, onDone, onClose }: BatchProps) {
  const [way, setWay] = useState<'months' | 'deadline' | 'exact'>('months')
  const [months, setMonths] = useState<number | undefined>(12)
  const [deadline, setDeadline] = useState<string>()
  const [cells, setCells] = useState<readonly BatchCell[]>()
  const [ids, setIds] = useState<string[]>([])
  const act = useAct(batchDeadline, { success: false })
  const wished = way === 'months' ? { months } : { deadline: deadline ?? null, exact: way === 'exact' }
  const look = async () => {
    try {
      const lists = await Promise.all(groups.map((g) => call(grantsOf, { query: { groupId: g.groupId, size: 200 } })))
      const found = lists.flatMap(({ list }) => list.map((grant) => grant.id))
      setIds(found)
      setCells((await call(batchDeadline, { body: { ids: found, ...wished, dryRun: true } })).cells)
    } catch (error) {
      showFailure(error)
    }
  }
  const run = async () => {
    const question = {
      thing: `把 ${cells?.length ?? 0} 条授权的到期日设为 ${deadline ?? ''}`,
      consequence: '长期的和更晚到期的也到该日为止，由它们下发的授权一并缩短。',
      verb: '设定到期日',
      keep: '不改',
    }
    const body = { ids, ...wished }
    const done = way === 'exact' ? await act.afterRequesting(question, { body }) : await act.run({ body })
    if (!done) return
    onDone()
    onClose()
  }
  const changes = cells?.some((cell) => cell.result === 'extend' || cell.result === 'shorten')
  return (
    <PageDrawer
      open
      size={860}
      title={`批量设置期限 ${groups.length} 个对象`}
      onClose={onClose}
      footer={
        <div className="apps-right">
          <Button onClick={() => void look()}>试算</Button>
          <Button type="primary" disabled={!changes} loading={act.running} onClick={() => void run()}>
            {way === 'exact' ? '设定' : '延期'}
          </Button>
        </div>
      }
    >
      <div className="apps-bar">
        <Segmented
          aria-label="延期方式"
          value={way}
          options={[
            { value: 'months', label: '延长月数' },
            { value: 'deadline', label: '延到某日' },
            { value: 'exact', label: '设定到期日' },
          ]}
          onChange={(next) => {
            setWay(next as typeof way)
            setCells(undefined)
          }}
        />
        <div className="apps-field">
          {way === 'months' ? (
            <NumberInput aria-label="月数" min={1} max={120} unit="个月" value={months} onChange={setMonths} />
          ) : (
            <DayInput
              aria-label="到期日"
              value={deadline}
              onChange={(next) => {
                setDeadline(next)
                setCells(undefined)
              }}
            />
          )}
        </div>
        <span className="zg-2">{way === 'exact' ? '一律到该日为止，长期的和更晚的也缩短' : '只会延长，不会缩短；长期的不变'}</span>
      </div>
      {cells && <Cells cells={cells} />}
    </PageDrawer>
  )
}

/** Adds apps to, or removes them from, many groups at once. */
export function BatchAppsDrawer({ groups, onDone, onClose }: BatchProps) {
  const available = useCall(listApps, { query: { size: 200, enable: '1' } }, { quiet: true })
  const [mode, setMode] = useState<'add' | 'remove'>('add')
  const [apps, setApps] = useState<string[]>([])
  const [deadline, setDeadline] = useState<string>()
  const [reason, setReason] = useState('')
  const [cells, setCells] = useState<readonly BatchCell[]>()
  const act = useAct(batchApps, { success: '已办理' })
  const body = { ids: groups.map((g) => g.groupId), apps, mode, deadline: deadline ?? null, reason }
  const look = () =>
    call(batchApps, { body: { ...body, dryRun: true } })
      .then((answer) => setCells(answer.cells))
      .catch(showFailure)
  const run = async () => {
    const question = {
      thing: `从 ${groups.length} 个对象撤销 ${apps.length} 个应用`,
      consequence: '由它们下发的授权一并撤销。门禁、设备、考勤保存和监管对接不停，数据不删除。',
      verb: '撤销授权',
      keep: '保留',
    }
    const done = mode === 'remove' ? await act.afterRequesting(question, { body }) : await act.run({ body })
    if (!done) return
    onDone()
    onClose()
  }
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      setCells(undefined)
    }
  return (
    <PageDrawer
      open
      size={860}
      title={`批量加减应用 ${groups.length} 个对象`}
      onClose={onClose}
      footer={
        <div className="apps-right">
          <Button disabled={apps.length === 0} onClick={() => void look()}>
            试算
          </Button>
          <Button
            type="primary"
            danger={mode === 'remove'}
            disabled={!cells || (mode === 'remove' && reason === '')}
            loading={act.running}
            onClick={() => void run()}
          >
            {mode === 'add' ? '授权' : '撤销'}
          </Button>
        </div>
      }
    >
      <div className="apps-bar">
        <Segmented
          aria-label="方式"
          value={mode}
          options={[
            { value: 'add', label: '增加应用' },
            { value: 'remove', label: '撤销应用' },
          ]}
          onChange={(next) => change(setMode)(next as typeof mode)}
        />
        <div className="apps-grow">
          <Choices
            aria-label="应用"
            placeholder="选择应用"
            value={apps}
            options={(available.data?.list ?? []).filter((app) => !app.base).map((app) => ({ value: app.id, label: app.name }))}
            onChange={(next) => change(setApps)(next ?? [])}
          />
        </div>
        <div className="apps-field">
          {mode === 'add' ? (
            <DayInput aria-label="到期日" placeholder="到期日，不填即长期" value={deadline} onChange={change(setDeadline)} />
          ) : (
            <Input
              aria-label="撤销原因"
              placeholder="撤销原因"
              maxLength={200}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </div>
      </div>
      {cells && <Cells cells={cells} />}
    </PageDrawer>
  )
}
