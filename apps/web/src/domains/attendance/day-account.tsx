import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import { dayAccount } from '@zhugong/contract/attendance/days'
import { createFix } from '@zhugong/contract/attendance/fix-endpoints'
import type { RecordRow } from '@zhugong/contract/attendance/records'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { Bone, ErrorPanel, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { thousands, timeOfDay } from '#kit/format.ts'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { askable } from './day-words.ts'
import { FixDrawer, type FixWanted } from './fix-drawer.tsx'
import { ResultWords } from './words.tsx'

export interface DayOf {
  projectCode: string
  workerId: string
  date: string
}

export const useDayAccount = (day: DayOf | undefined) =>
  useCall(dayAccount, { query: day ?? { workerId: '', date: '2000-01-01' } }, { enabled: day !== undefined, quiet: true })

export const shortHash = (hash: string) => `${hash.slice(0, 4)}…${hash.slice(-4)}`

/** Every gate record of a day with its number in the ledger; ignored records show the reason. */
export function PassList({
  records,
  date,
  onFix,
}: {
  records: readonly RecordRow[]
  date: string
  onFix?: (record: RecordRow, kind: 'void' | 'direction') => void
}) {
  const project = useProjectCode()
  const allowed = useCan('attendance.verify')
  // Each project has its own ledger, so there is nothing to open without a selected project.
  const mayVerify = allowed && project !== '*'
  if (records.length === 0) return <div className="zg-2">没有通行记录</div>
  return (
    <ol className="att-passes">
      {records.map((r) => {
        const counts = r.standing === null || r.standing === 'counted'
        return (
          <li key={r.id} className={counts && !r.repeat ? '' : 'ignored'}>
            <span className="time" title={r.date}>
              {r.date.slice(0, 10) === date ? '' : '次日 '}
              {timeOfDay(r.date)}
            </span>
            <b className={r.directionName === '入场' ? 'tone-fine' : ''}>
              {r.directionName === '入场' ? '进' : r.directionName === '出场' ? '出' : '？'}
            </b>
            <span>
              {r.picture && <Thumb src={r.picture} name={`${r.date} ${r.channel ?? r.terminalCode}`} width={24} height={32} />}{' '}
              {r.channel ?? r.terminalCode} {r.attendTypeName}
              {r.sim === null ? '' : ` ${r.sim.toFixed(1)} 分`}
              {r.inferred && <i className="zg-2"> 推断方向</i>}
              {!counts && <i> {r.standingText}</i>}
              {counts && r.repeat && <i> {r.standingText}</i>}
              {r.flags.includes('suspicious') && <Tag tone="warning">可疑</Tag>}
              {r.late && <i className="att-late"> 离线补传，{r.receivedAt.slice(5)} 到达</i>}
            </span>
            <span className="seq" title={r.hash}>
              {mayVerify ? (
                <Link to={hrefOf('/checkRecord', { tab: 'ledger', no: String(r.seq) })}>第 {thousands(r.seq)} 条</Link>
              ) : (
                `第 ${thousands(r.seq)} 条`
              )}{' '}
              {shortHash(r.hash)}
              {onFix && counts && (
                <Can call={createFix}>
                  <button type="button" className="zg-bare zg-link" onClick={() => onFix(r, 'void')}>
                    误刷
                  </button>
                  <button type="button" className="zg-bare zg-link" onClick={() => onFix(r, 'direction')}>
                    改方向
                  </button>
                </Can>
              )}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

export function ChainWord({ chain }: { chain: { ok: boolean; checked: number; lastSeq: number | null } }) {
  if (chain.checked === 0) return null
  return chain.ok ? (
    <span className="tone-fine">
      <CheckCircleFilled /> 链校验通过
    </span>
  ) : (
    <span className="tone-danger">
      <CloseCircleFilled /> 链校验不通过
    </span>
  )
}

type Waiting = OutputFor<typeof dayAccount>['fixes']
export const WaitingFixes = ({ fixes }: { fixes: Waiting }) =>
  fixes.map((fix) => (
    <Notice key={fix.id} tone="info">
      {fix.kindName} {fix.content} 正在审批{fix.requestedName && `，${fix.requestedName} ${fix.requestedAt.slice(0, 16)} 申请`}
    </Notice>
  ))

/** How a day's result was calculated: records, calculation and rules used. */
export function DayAccount({ day, name }: { day: DayOf; name?: string | undefined }) {
  const { data, error, refetch } = useDayAccount(day)
  const [wanted, setWanted] = useState<FixWanted>()
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <Bone width="100%" height={160} />
  const { setting } = data
  const changed = data.day?.atClose
  return (
    <div className="att-account">
      {!data.chain.ok && <Notice tone="danger">这一天的记录与账本不符，请在考勤记录中校验整条链。</Notice>}
      <section>
        <h3>
          通行记录 <ChainWord chain={data.chain} />
        </h3>
        <PassList
          records={data.records}
          date={day.date}
          onFix={(record, kind) =>
            setWanted({ kind, projectCode: day.projectCode, who: `${name ?? ''} ${record.date}`, date: day.date, target: record.id })
          }
        />
        <WaitingFixes fixes={data.fixes} />
        <Can call={createFix}>
          <div className="att-acts">
            {askable(data.fixes).map((kind) => (
              <Button
                key={kind}
                size="small"
                onClick={() =>
                  setWanted({
                    kind,
                    projectCode: day.projectCode,
                    workerIds: [day.workerId],
                    who: `${name ?? ''} ${day.date}`,
                    date: day.date,
                    wholeDay: data.records.length === 0,
                  })
                }
              >
                {kind === 'add' ? '补卡申请' : '登记请假'}
              </Button>
            ))}
          </div>
        </Can>
        {wanted && <FixDrawer wanted={wanted} onClose={() => setWanted(undefined)} />}
      </section>
      <section>
        <h3>计算过程</h3>
        <ul className="att-words">
          {data.words.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        {changed && (
          <Notice tone="info">
            日结时为 {changed.workHours.toFixed(1)} 小时，
            <ResultWords results={changed.results} />
            ；其后有补传或更正。
          </Notice>
        )}
      </section>
      <section>
        <h3>所用规则</h3>
        <Pairs
          items={[
            { label: '作息', value: `${setting.workStart} 至 ${setting.workEnd}${setting.shift ? `（${setting.shift}）` : ''}` },
            { label: '日切', value: setting.dayCut },
            { label: '迟到 / 早退宽限', value: `${setting.lateMinutes} / ${setting.earlyMinutes} 分钟` },
            { label: '计出勤日', value: setting.minHours > 0 ? `不少于 ${setting.minHours} 小时` : '有任一有效记录' },
            { label: '设置生效', value: setting.effectiveFrom },
            { label: '规则版本', value: data.day?.rulesVersion },
          ]}
        />
      </section>
    </div>
  )
}
