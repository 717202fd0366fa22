import { getHomeReport } from '@zhugong/contract/home/endpoints'
import { listWorkers } from '@zhugong/contract/personnel/people'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, Empty, ErrorPanel, TableSkeleton } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { useProjectCode } from '#kit/me.ts'

/** Compliance of a company's own people: each missing paper links to the list of those who lack it. */
export function OwnPeople() {
  const projectCode = useProjectCode()
  const mayOpen = useCan(listWorkers)
  const { data, error, refetch } = useCall(
    getHomeReport,
    { query: { days: 7, projectCode: projectCode === '*' ? undefined : projectCode } },
    { quiet: true, everyMs: 60_000, keepPrevious: true },
  )
  const told = data?.compliance
  const rows = told
    ? ([
        ['实名核验', told.realName, 'realName'],
        ['劳动合同', told.contract, 'contract'],
        ['入场教育', told.trained, 'training'],
        ['工资卡', told.account, 'payCard'],
      ] as const)
    : []
  return (
    <Card title="用工合规" remark={told && `在册 ${told.inPlace} 人`} flush>
      {error && !data ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !told ? (
        <TableSkeleton rows={4} />
      ) : told.inPlace === 0 ? (
        <Empty small text="没有在册人员" />
      ) : (
        <ul className="home-devices">
          {rows.map(([name, n, missing]) => {
            const lack = told.inPlace - n
            const words = `缺 ${lack} 人`
            return (
              <li key={missing}>
                <span>{name}</span>
                <span className="bar" aria-hidden="true">
                  <Filled part={n} whole={told.inPlace} />
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
