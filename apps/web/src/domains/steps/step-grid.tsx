import { stepGrid } from '@zhugong/contract/steps/calls'
import { linkName, stepChain, stepKinds, stepWorks } from '@zhugong/contract/steps/chain'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, Empty, Known } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { paths } from './step-words.tsx'
import { useUnits } from './use-units.ts'
import './steps.css'

const words = { none: '', waiting: '待', passed: '✓', blocked: '✕', early: '!' } as const
const titles = { none: '未验收', waiting: '待监理验收', passed: '验收通过', blocked: '不合格', early: '提前施工' } as const
const mostFloors = 100

/** Floors of a unit by step: what is accepted, what waits, where it is blocked. */
export function StepGrid({ views }: { views: ReactNode }) {
  const projectCode = useProjectCode()
  if (projectCode === '*') return <ProjectPicker why="看哪个项目的工序" />
  return <Grid key={projectCode} projectCode={projectCode} views={views} />
}

function Grid({ projectCode, views }: { projectCode: string; views: ReactNode }) {
  const [unit, setUnit] = useState<string | undefined>(undefined)
  const units = useUnits(projectCode)
  const read = useCall(
    stepGrid,
    { query: { projectCode, view: 'grid', size: mostFloors, page: 1, ...(unit ? { unit } : {}) } },
    { quiet: true, keepPrevious: true },
  )
  const floors = read.data?.list ?? []
  return (
    <PageShell>
      <Card
        title={read.data?.unit?.name ?? '楼层 × 工序'}
        remark={floors.length > 0 ? `${floors.filter((one) => one.blocked).length} 层受阻` : undefined}
        actions={
          <span className="zg-row zg-middle zg-gap-12">
            <span className="zg-w-200">
              <Choice aria-label="单体" options={units} value={unit ?? read.data?.unit?.id} clear={false} onChange={setUnit} />
            </span>
            {views}
          </span>
        }
      >
        <Known of={read}>
          {floors.length === 0 ? (
            <Empty text="该项目没有楼层" hint="在项目信息设置的部位树里建立楼栋与楼层" />
          ) : (
            <div className="zg-scrolls">
              <table className="step-grid">
                <thead>
                  <tr>
                    <th rowSpan={2}>楼层</th>
                    {stepWorks.map((work) => (
                      <th key={work.code} colSpan={work.kinds.length}>
                        {work.name}
                      </th>
                    ))}
                  </tr>
                  <tr>
                    {stepChain.map((link) => (
                      <th key={link.work + link.kind} className="kind">
                        {stepKinds[link.kind]}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {floors.map((floor) => (
                    <tr key={floor.placeId} data-blocked={floor.blocked || undefined}>
                      <th scope="row">{floor.name}</th>
                      {floor.cells.map((cell) => {
                        const title = `${floor.name} ${linkName(cell)}：${titles[cell.state]}`
                        return (
                          <td key={cell.work + cell.kind} data-state={cell.state} title={title}>
                            {cell.id ? (
                              <Link to={hrefOf(paths.detail, { id: cell.id })} aria-label={title}>
                                {words[cell.state]}
                              </Link>
                            ) : (
                              <span className="zg-heard">{titles[cell.state]}</span>
                            )}
                          </td>
                        )
                      })}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </Known>
        <p className="step-legend zg-2">
          {(['passed', 'waiting', 'blocked', 'early'] as const).map((state) => (
            <span key={state}>
              <i data-state={state}>{words[state]}</i> {titles[state]}
            </span>
          ))}
        </p>
      </Card>
    </PageShell>
  )
}
