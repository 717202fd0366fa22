import { certCoverage } from '@zhugong/contract/personnel/certificates'
import { Popover } from 'antd'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Card, Empty, ErrorPanel, TableSkeleton } from '#kit/feedback.tsx'
import { Swatch } from '#kit/filled.tsx'
import { ratioOf } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'

type Row = Awaited<NonNullable<(typeof certCoverage)['types']>['out']>['list'][number]
const parts = [
  ['valid', '有效', colors.fine],
  ['expiring', '30 日内到期', colors.orange],
  ['pending', '待审核', colors.primary],
  ['expired', '已过期', colors.danger],
  ['missing', '缺证', colors.dangerDark],
] as const

/** 配备核对: one bar per trade or post; its length is the number of people who need a certificate, its colours what they hold. */
export function CertCoverage({ scope, many }: { scope: { projectCode?: string }; many: boolean }) {
  const read = useCall(certCoverage, { query: scope }, { quiet: true, staleMs: 30_000 })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <TableSkeleton rows={8} columns={4} />
  const { list } = read.data
  if (list.length === 0) return <Empty text="没有需要持证的岗位或工种在场" />
  const most = Math.max(...list.map((row) => row.needed))
  const byProject = [...Map.groupBy(list, (row) => row.projectCode).values()]
  return (
    <div className="per-cover-scroll" tabIndex={most > 0 ? 0 : undefined}>
      <div className="per-cover-legend">
        {parts.map(([key, word, colour]) => (
          <span key={key}>
            <Swatch color={colour} />
            {word}
          </span>
        ))}
      </div>
      {byProject.map((rows) => {
        const needed = rows.reduce((sum, row) => sum + row.needed, 0)
        const current = rows.reduce((sum, row) => sum + row.valid + row.expiring, 0)
        return (
          <Card
            key={rows[0]?.projectCode}
            title={many ? rows[0]?.projectName : '关键岗位与特种工种'}
            remark={`应持证 ${needed} 人，有效 ${current} 人，${ratioOf(current, needed)}`}
          >
            {rows.map((row) => (
              <Band key={`${row.isPost}${row.code}`} row={row} most={most} />
            ))}
          </Card>
        )
      })}
    </div>
  )
}

function Band({ row, most }: { row: Row; most: number }) {
  const words = parts.flatMap(([key, word]) => (row[key] ? [`${word} ${row[key]}`] : []))
  return (
    <div className="per-cover">
      <div>
        <b>{row.name}</b>
        <div className="zg-2">{row.paper}</div>
      </div>
      <div className="bar" role="img" aria-label={`${row.name} 应持证 ${row.needed} 人：${words.join('，')}`}>
        <div style={{ width: `${Math.max(4, (row.needed / most) * 100)}%` }}>
          {parts.map(([key, word, colour]) =>
            row[key] ? <i key={key} title={`${word} ${row[key]} 人`} style={{ flexGrow: row[key], background: colour }} /> : null,
          )}
        </div>
      </div>
      <div className="zg-num">
        {row.valid + row.expiring} / {row.needed}
      </div>
      <div>
        {row.lacking.length === 0 ? (
          <span className="tone-fine">配齐</span>
        ) : (
          <Popover
            title={`${row.name} 无有效证 ${row.needed - row.valid - row.expiring} 人`}
            content={
              <div className="per-cover-names">
                {row.lacking.map((p) => (
                  <Link key={p.workerId} to={hrefOf('/personnelSystem/info/certificate', { id: p.workerId })}>
                    {p.name} <span className="zg-2">{p.teamName}</span>
                  </Link>
                ))}
              </div>
            }
          >
            <button type="button" className="zg-bare zg-link tone-danger">
              缺 {row.needed - row.valid - row.expiring} 人
            </button>
          </Popover>
        )}
      </div>
    </div>
  )
}
