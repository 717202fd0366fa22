import { hazardMap } from '@zhugong/contract/hazards/calls'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, Empty, Known, RiskBadge } from '#kit/feedback.tsx'
import { riskLevels } from '#kit/format.ts'
import { type Around, ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { PlanBoard } from '../places/public.tsx'
import { paths } from './hazard-words.tsx'

/** The live hazards of a site on its plans, in four colours. */
export function RiskMap({ around }: { around: Around }) {
  const projectCode = useProjectCode()
  if (projectCode === '*') return <ProjectPicker why="看哪个项目的四色图" actions={around.views} />
  return (
    <ListShell actions={around.actions} strip={around.strip}>
      <div className="hazard-views">{around.views}</div>
      <Plans projectCode={projectCode} />
    </ListShell>
  )
}

function Plans({ projectCode }: { projectCode: string }) {
  const read = useCall(hazardMap, { query: { projectCode } }, { quiet: true })
  const hazards = read.data?.hazards ?? []
  const number = new Map(hazards.map((one, i) => [one.id, i + 1]))
  return (
    <Known of={read} rows={8}>
      <div className="hazard-map">
        <div className="hazard-plans">
          {read.data?.plans.map((plan) => (
            <Card key={plan.id} title={plan.name}>
              <PlanBoard
                plan={plan}
                marks={hazards.flatMap((one) =>
                  one.planId === plan.id && one.x !== null && one.y !== null
                    ? [{ key: one.id, label: String(number.get(one.id)), x: one.x, y: one.y, level: one.riskLevel, title: titleOf(one) }]
                    : [],
                )}
              />
            </Card>
          ))}
          {read.data?.plans.length === 0 && <Empty text="危险源还没有标在平面图上" hint="在部位里上传平面图，编辑危险源时点选位置" />}
        </div>
        <Card title="管控中的危险源" remark={`${hazards.length} 处`}>
          <ol className="hazard-legend">
            {hazards.map((one) => (
              <li key={one.id}>
                <span className="zg-num">{number.get(one.id)}</span>
                <RiskBadge level={one.riskLevel} />
                <Link className="zg-link" to={hrefOf(paths.detail, { id: one.id })}>
                  {one.name}
                </Link>
                <span className="zg-2">{one.placeName ?? one.part}</span>
              </li>
            ))}
          </ol>
          {read.data && hazards.length === 0 && <Empty small text="没有未解除的危险源" />}
        </Card>
      </div>
    </Known>
  )
}

const titleOf = ({ name, riskLevel, part }: { name: string; riskLevel: string; part: string }) =>
  `${name}（${riskLevel} 级 ${riskLevels[Number(riskLevel) as keyof typeof riskLevels]?.name ?? ''}），${part}`
