import { CloseOutlined } from '@ant-design/icons'
import { Link } from 'react-router'
import { Bone, ErrorPanel } from '#kit/feedback.tsx'
import { hrefOf } from '#kit/page.tsx'
import { ChainWord, PassList, useDayAccount, WaitingFixes } from './day-account.tsx'
import type { ChosenCell } from './month-sheet.tsx'
import { dayWords } from './sheet-mark.ts'
import { ResultWords } from './words.tsx'

const width = 320

/** Details of one day of the month sheet: passages, hours, late data, and whether the ledger chain is intact. */
export function CellCard({ chosen, onClose }: { chosen: ChosenCell; onClose: () => void }) {
  const { row, date } = chosen
  const { data, error, refetch } = useDayAccount({ projectCode: row.projectCode, workerId: row.workerId, date })
  const left = Math.max(8, Math.min(chosen.left + 30, chosen.sheetWidth - width - 8))
  return (
    <section
      className="att-card"
      style={chosen.above ? { left, top: chosen.top - 4, transform: 'translateY(-100%)' } : { left, top: chosen.top + 30 }}
      aria-label={`${row.name} ${dayWords(date)}`}
    >
      <header>
        {row.name} {dayWords(date)}
        <span className="right">
          <ResultWords
            results={chosen.cell.results}
            day={{ ...chosen.cell, came: chosen.cell.firstIn !== '' || chosen.cell.lastOut !== '', inside: chosen.cell.lastOut === '' }}
          />
        </span>
        <button type="button" className="zg-bare" aria-label="关闭" onClick={onClose}>
          <CloseOutlined />
        </button>
      </header>
      <div className="body">
        {error ? (
          <ErrorPanel error={error} retry={refetch} />
        ) : data ? (
          <>
            <PassList records={data.records} date={date} />
            <WaitingFixes fixes={data.fixes} />
            <div className="zg-above">
              工时 <b>{chosen.cell.workHours.toFixed(1)}</b> 小时
            </div>
          </>
        ) : (
          <Bone width="100%" height={72} />
        )}
      </div>
      <footer>
        {data && <ChainWord chain={data.chain} />}
        <Link className="zg-end" to={hrefOf('/CheckingDetail', { projectCode: row.projectCode, workerId: row.workerId, date })}>
          考勤详情
        </Link>
      </footer>
    </section>
  )
}
