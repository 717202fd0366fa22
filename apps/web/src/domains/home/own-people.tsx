import { getHomeReport } from '@zhugong/contract/home/endpoints'
import { listWorkers } from '@zhugong/contract/personnel/people'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, Empty, ErrorPanel, TableSkeleton } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { useProjectCode } from '#kit/me.ts'

/** Compliance of a company's own people; each missing document links to the people who lack it. */
export function OwnPeople() {
  const projectCode = useProjectCode()
  const mayOpen = useCan(listWorkers)
  const { data, error, refetch } = useCall(
    getHomeReport,
    { query: { days: 7, projectCode: projectCode === '*' ? undefined : projectCode } },
    { quiet: true, everyMs: 60_000, keepPrevious: true },
  )
  const reported = data?.compliance
  const rows = reported
    ? ([
        ['实名核验', reported.realName, 'realName'],
        ['劳动合同', reported.contract, 'contract'],
        ['入场教育', reported.trained, 'training'],
        ['工资卡', reported.account, 'payCard'],
      ] as const)
    : []
  return (
    <Card title="用工合规" remark={reported && `在册 ${reported.inPlace} 人`} flush>
      {error && !data ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !reported ? (
        <TableSkeleton rows={4} />
      ) : reported.inPlace === 0 ? (
        <Empty small text="没有在册人员" />
      ) : (
        <ul className="home-devices">
          {rows.map(([name, n, missing]) => {
            const lack = reported.inPlace - n
            const words = `缺 ${lack} 人`
            return (
              <li key={missing}>
                <span>{name}</span>
                <span className="bar" aria-hidden="true">
                  <Filled part={n} whole={reported.inPlace} />
                </span>
                <span className="zg-num">{n}</span>
                {lack === 0 ? (
                  <span className="problem fine">齐</span>
                ) : (
                  <span className="problem warn">
                    {mayOpen ? <Link to={`/personList?stationed=1&missing=${missing}`}>{words}</Link> : words}
                  </span>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
