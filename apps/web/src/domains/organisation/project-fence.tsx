import { changeStates } from '@zhugong/contract/organisation/codes'
import { fencePunches, fenceTypes } from '@zhugong/contract/organisation/fence-overview'
import { getAreaRule } from '@zhugong/contract/organisation/fences'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { ErrorPanel, FigureStrip } from '#kit/feedback.tsx'
import { useProjectCode } from '#kit/me.ts'
import { usePageParam } from '#kit/page.tsx'
import { FenceOf } from './fence-drawer.tsx'
import './organisation.css'

/** Fence of a project with the punches of recent days. The site proposes changes here, the groups above decide. */
export function ProjectFence({ days, remark }: { days: number; remark: string }) {
  const chosen = useProjectCode()
  const projectCode = usePageParam('projectCode') || (chosen === '*' ? '' : chosen)
  const seesPunches = useCan(fencePunches)
  const shown = useCall(getAreaRule, { query: { projectCode } }, { quiet: true })
  const punches = useCall(fencePunches, { query: { projectCode, days } }, { quiet: true, enabled: seesPunches })
  if (shown.error) return <ErrorPanel error={shown.error} retry={shown.refetch} />
  const p = punches.data
  const fence = shown.data
  const last = fence?.history.find((one) => one.state === changeStates.passed)
  return (
    <>
      <FigureStrip
        loading={!fence}
        items={[
          {
            label: '现行围栏',
            value: fence?.areaRule ? fence.hectares.toFixed(2) : '无',
            unit: fence?.areaRule ? '公顷' : undefined,
            remark: fence?.areaRule ? fenceTypes[fence.areaRule.type] : '移动打卡不核对位置',
            tone: fence?.areaRule ? undefined : 'warning',
          },
          {
            label: '距项目地址',
            value: fence?.offsetMeters ?? '--',
            unit: '米',
            remark: fence?.offsetMeters === 0 ? '地址在围栏内' : undefined,
            tone: (fence?.offsetMeters ?? 0) > 500 ? 'warning' : undefined,
          },
          { label: '生效时间', value: last?.at.slice(0, 10) ?? '--', remark: last?.filedName },
          ...(seesPunches
            ? [
                {
                  label: `近 ${days} 日围栏外打卡`,
                  value: p ? p.outside : '--',
                  unit: `/ ${p?.total ?? '--'} 次`,
                  tone: p && p.total > 0 && p.outside / p.total > 0.05 ? ('warning' as const) : undefined,
                },
              ]
            : []),
        ]}
      />
      <p className="zg-2">{remark}</p>
      <FenceOf projectCode={projectCode} punches={p?.points ?? []} />
    </>
  )
}
