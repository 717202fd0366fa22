import type { HomeProject } from '@zhugong/contract/home/endpoints'
import { useEnter } from '#kit/enter.ts'
import { RiskBadge, Tag } from '#kit/feedback.tsx'
import { Spark } from '#kit/spark.tsx'
import { projectTones } from '../organisation/public.tsx'
import { levelOf } from './district-picture.tsx'

/** Projects sorted by need for a visit, worst first, with the reason. */
export function ProjectTable({ projects, plain }: { projects: readonly HomeProject[]; plain?: boolean }) {
  const enterScope = useEnter()
  const enter = (p: HomeProject) => void enterScope({ projectCode: p.projectCode, projectName: p.name }, '/main')
  return (
    <table className="home-table">
      <thead>
        <tr>
          {!plain && <th className="level">级</th>}
          <th>项目</th>
          <th>状态</th>
          <th className="num">在册</th>
          <th className="num roomy">今日出勤</th>
          <th className="num">出勤率</th>
          <th className="roomy">近 7 日</th>
          <th className="num">告警</th>
          <th className="num">在线</th>
          <th className="why">为什么</th>
        </tr>
      </thead>
      <tbody>
        {projects.map((p) => (
          <tr key={p.projectCode}>
            {!plain && (
              <td>
                <RiskBadge level={levelOf(p.score)} word={false} />
              </td>
            )}
            <td>
              <button type="button" className="zg-bare zg-link" onClick={() => enter(p)}>
                {p.name}
              </button>
              {p.why.length > 0 && <small className="why-below">{p.why.join('，')}</small>}
            </td>
            <td>
              <Tag tone={projectTones[p.prjStatus] ?? 'neutral'} icon={false}>
                {p.prjStatusName}
              </Tag>
            </td>
            <td className="num">{p.onSite}</td>
            <td className="num roomy">{p.attended}</td>
            <td className="num">{p.rate === null ? '--' : `${p.arrived} / ${p.expected}　${p.rate.toFixed(2)}%`}</td>
            <td className="roomy">
              <Spark values={p.week} />
            </td>
            <td className="num">{p.openAlarms ? <b className="tone-danger">{p.openAlarms}</b> : 0}</td>
            <td className="num">
              {p.online} / {p.devices}
            </td>
            <td className="why">{p.why.join('，') || '--'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
