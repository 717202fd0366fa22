import { dayMs } from '@zhugong/contract/kit/time'
import { keepOnSite, listProposedExits, longAbsence, longestKeepDays, type ProposedExit } from '@zhugong/contract/labour/exits'
import { exitWorkers } from '@zhugong/contract/labour/stays'
import { Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Empty, Notice, Tag } from '#kit/feedback.tsx'
import { day, time } from '#kit/format.ts'
import { DayInput } from '#kit/inputs.tsx'
import { PageDrawer, PageModal } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import { FailedList } from './failed-list.tsx'
import './labour.css'

const shown = 200

/** Exits proposed by the system, above the list of people, for a person to decide. */
export function ExitProposals({ projectCode }: { projectCode: string }) {
  const [open, setOpen] = useState(false)
  const read = useCall(listProposedExits, { query: { projectCode, size: shown } }, { quiet: true, staleMs: 60_000 })
  const may = useCan(exitWorkers)
  const due = (read.data?.list ?? []).filter((p) => p.left <= 0 && !p.onHold).length
  if (!read.data || read.data.total === 0) return null
  return (
    <>
      <Notice tone={due ? 'warning' : 'info'} actions={<Button onClick={() => setOpen(true)}>{may ? '逐个确认' : '查看'}</Button>}>
        {due ? `系统拟退场 ${due} 人：长期没有通行，请确认退场或仍在场` : `${read.data.total} 人长期没有通行，即将拟退场`}
        {read.data.onHold > 0 && `；门禁全部离线的项目 ${read.data.onHold} 人暂缓`}
      </Notice>
      {open && <Decide list={read.data.list} may={may} onClose={() => setOpen(false)} />}
    </>
  )
}

function Decide({ list, may, onClose }: { list: readonly ProposedExit[]; may: boolean; onClose: () => void }) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [keeping, setKeeping] = useState(false)
  const [failed, setFailed] = useState<{ done: number; failed: { id: string; name: string; message: string }[] }>()
  const exit = useAct(exitWorkers, {
    success: (r) => `已退场 ${r.done} 人`,
    onDone: (r) => {
      setChosen([])
      setFailed(r.failed.length ? r : undefined)
    },
  })
  const rows = [...list].sort((a, b) => a.left - b.left)
  const turn = (id: string) => setChosen((now) => (now.includes(id) ? now.filter((one) => one !== id) : [...now, id]))
  const leave = () =>
    exit.afterRequesting(
      {
        thing: `让选中的 ${chosen.length} 人退场`,
        consequence: '原因记为“长期未考勤”，收回门禁；之后补传的通行能证明在场时，七日内可按再次进场恢复。',
        verb: `退场 ${chosen.length} 人`,
        keep: '不退场',
      },
      { body: { ids: [...chosen], exitTime: time(Date.now()), exitReason: longAbsence, exitAttachment: [] } },
    )
  return (
    <PageDrawer
      open
      size={880}
      title="系统拟退场"
      onClose={onClose}
      footer={
        may && (
          <div className="zg-row zg-to-end">
            <Button disabled={chosen.length === 0} onClick={() => setKeeping(true)}>
              仍在场
            </Button>
            <Button type="primary" danger disabled={chosen.length === 0} loading={exit.running} onClick={() => void leave()}>
              确认退场 {chosen.length} 人
            </Button>
          </div>
        )
      }
    >
      {failed && <FailedList result={failed} verb="已退场" />}
      {rows.length === 0 ? (
        <Empty text="没有拟退场人员" />
      ) : (
        <table className="corp-parts">
          <thead>
            <tr>
              <th />
              <th>姓名</th>
              <th>单位 · 班组</th>
              <th>最近通行</th>
              <th>未见</th>
              <th>状态</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((p) => (
              <tr key={p.id}>
                <td>{may && <Checkbox checked={chosen.includes(p.id)} onChange={() => turn(p.id)} aria-label={`选择 ${p.name}`} />}</td>
                <td>
                  <Link to={hrefOf('/personListDetails', { id: p.id, workerId: p.workerId })}>{p.name}</Link>
                  <div className="zg-2">{p.workTypeName}</div>
                </td>
                <td>
                  {[p.corpName, p.teamName].filter(Boolean).join(' · ')}
                  <div className="zg-2">{p.projectName}</div>
                </td>
                <td className="zg-num">{p.lastPass ?? `进场后未通行（${day(p.entryTime)} 进场）`}</td>
                <td className="zg-num">{p.days} 天</td>
                <td>
                  {p.onHold ? (
                    <Tag icon={false}>门禁离线，暂缓</Tag>
                  ) : p.left <= 0 ? (
                    <Tag tone="warning" icon={false}>
                      已达 {p.limit} 天
                    </Tag>
                  ) : (
                    <Tag tone="running" icon={false}>
                      {p.left} 天后拟退场
                    </Tag>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {keeping && (
        <Keep
          ids={chosen}
          onClose={(done) => {
            setKeeping(false)
            if (done) setChosen([])
          }}
        />
      )}
    </PageDrawer>
  )
}

function Keep({ ids, onClose }: { ids: readonly string[]; onClose: (done: boolean) => void }) {
  const [until, setUntil] = useState<string | undefined>(day(Date.now() + 15 * dayMs))
  const [reason, setReason] = useState('')
  const act = useAct(keepOnSite, { success: (r) => `${r.done} 人仍在场`, onDone: () => onClose(true) })
  return (
    <PageModal
      open
      width={440}
      title={`${ids.length} 人仍在场`}
      okText="确认仍在场"
      okButtonProps={{ disabled: reason.trim().length < 2 || !until, loading: act.running }}
      onOk={() => void act.run({ body: { ids: [...ids], untilDay: until ?? '', reason: reason.trim() } })}
      onCancel={() => onClose(false)}
    >
      <div className="lab-stack">
        <label htmlFor="keep-until">
          <span>到哪天（最长 {longestKeepDays} 天，到期再问）</span>
          <DayInput
            id="keep-until"
            value={until ?? null}
            min={day(Date.now() + dayMs)}
            max={day(Date.now() + longestKeepDays * dayMs)}
            onChange={setUntil}
          />
        </label>
        <label htmlFor="keep-reason">
          <span>原因</span>
          <Input
            id="keep-reason"
            value={reason}
            maxLength={200}
            placeholder="如 外派学习、住院、门禁损坏期间手工登记"
            onChange={(e) => setReason(e.target.value)}
          />
        </label>
      </div>
    </PageModal>
  )
}
