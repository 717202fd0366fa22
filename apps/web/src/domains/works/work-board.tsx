import { listWorks, type WorkRow } from '@zhugong/contract/works/calls'
import { everyState, workStates } from '@zhugong/contract/works/moves'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Known, RiskBadge } from '#kit/feedback.tsx'
import { hrefOf } from '#kit/page.tsx'
import { Gaps, MonitorTag, paths } from './work-words.tsx'

/** Cards read at most; a district has a few dozen open works. */
const mostCards = 200
/** Finished works would fill the board. */
const shown = everyState.filter((state) => state !== workStates.closed)

interface Props {
  scope: { projectCode: string }
  toolbar: ReactNode
  oneProject: boolean
}

/** One column per state, the gravest card on top. */
export function WorkBoard({ scope, toolbar, oneProject }: Props) {
  const read = useCall(listWorks, { query: { ...scope, state: shown.join(','), sort: '-urgency', size: mostCards } }, { quiet: true })
  const dicts = useDicts('bigProjectState')
  const rows = read.data?.list ?? []
  return (
    <div className="work-board-box">
      <div className="zg-row zg-gap-6 work-board-bar">{toolbar}</div>
      <Known of={read} rows={8}>
        {read.data && read.data.total > rows.length && (
          <p className="zg-2 work-board-bar">
            看板显示最紧要的 {rows.length} 项，共 {read.data.total} 项，其余见列表
          </p>
        )}
        <div className="work-board">
          {shown.map((state) => {
            const cards = rows.filter((one) => one.state === state)
            return (
              <section key={state} aria-label={dicts.name('bigProjectState', state)}>
                <h2>
                  {dicts.name('bigProjectState', state)} <span className="zg-2">{cards.length}</span>
                </h2>
                {cards.map((row) => (
                  <WorkCard key={row.id} row={row} oneProject={oneProject} />
                ))}
                {cards.length === 0 && <p className="zg-2">无</p>}
              </section>
            )
          })}
        </div>
      </Known>
    </div>
  )
}

/** What a card tells of a work. */
export function WorkCard({ row, oneProject }: { row: WorkRow; oneProject: boolean }) {
  return (
    <Link className={`work-card ${row.grave ? 'work-grave' : ''}`} to={hrefOf(paths.detail, { id: row.id })}>
      <b>{row.name}</b>
      {!oneProject && <span className="zg-2">{row.projectName}</span>}
      <span className="zg-2">{[row.part, row.size].filter(Boolean).join(' · ')}</span>
      {row.grave && <span className="tone-danger">{row.grave}</span>}
      <span className="zg-row zg-wrap zg-gap-6">
        <RiskBadge level={row.riskLevel} word={false} />
        {row.gaps.length > 0 && <Gaps gaps={row.gaps} />}
        {row.monitorState !== 'none' && <MonitorTag state={row.monitorState} />}
      </span>
      <span className="zg-2">{row.stateDays === 0 ? '今天进入' : `已 ${row.stateDays} 天`}</span>
    </Link>
  )
}
