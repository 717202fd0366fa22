import { findPours, formworkMarks } from '@zhugong/contract/monitoring/formwork/formwork'
import { formworkInfo, formworkLine } from '@zhugong/contract/monitoring/formwork/formwork-live'
import { useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { call, useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, Tag } from '#kit/feedback.tsx'
import { day, measure, minuteOfDay, time } from '#kit/format.ts'
import { showFailure } from '#kit/http.ts'
import { Choice } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { columnsOption } from '../analysis-charts.ts'
import { ChartCard } from '../family-analysis.tsx'
import '../family.css'
import './formwork.css'
import { type Pour, poursSaid } from './formwork-state.ts'
import { GiveAdvice } from './give-advice.tsx'

const stepMs = 300_000
/** Percent of data required for a pour to be included in maxima. */
const leastData = 90
/** Most curves drawn at once. */
const mostPoints = 6

/** Are order and speed of the next pour right, and are designs too near their limits? */
export default function FormworkAnalyzePage() {
  const projectCode = useProjectCode()
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const pours = useCall(findPours, { query: { projectCode, groupBy: 'pour', kind: 'pour', size: 200 } }, { quiet: true })
  const rows = pours.data?.list ?? []
  const chosen = rows.find((one) => one.key === query.get('record')) ?? rows[0]
  const whole = rows.filter((one) => one.dataPercent >= leastData)
  const top = [...whole].sort((a, b) => (b.maxAxialForcePercent ?? 0) - (a.maxAxialForcePercent ?? 0))[0]
  if (pours.error && !pours.data)
    return (
      <PageShell>
        <Card>
          <ErrorPanel error={pours.error} retry={pours.refetch} />
        </Card>
      </PageShell>
    )
  if (!pours.data)
    return (
      <PageShell>
        <DetailSkeleton />
      </PageShell>
    )
  if (!chosen)
    return (
      <PageShell>
        <Card>
          <Empty text="还没有浇筑记录" hint="浇筑结束后，测点上报的极值与曲线在这里分析" />
        </Card>
      </PageShell>
    )
  const ordered = [...rows].reverse()
  return (
    <PageShell>
      <div className="fam-analysis">
        <div className="zg-card fam-bar">
          <span className="bay-pour">
            <Choice
              aria-label="浇筑"
              clear={false}
              value={chosen.key}
              options={rows.map((one) => ({
                value: one.key,
                label: `${day(one.startTime)} ${projectCode === '*' ? `${one.projectName} ` : ''}${one.pourName}`,
              }))}
              onChange={(value) => go(page.path, { record: value }, { replace: true })}
            />
          </span>
          <span className="right">
            <Link to={hrefOf('/highFormwork/record', {})}>浇筑记录</Link>
          </span>
        </div>
        <Card>
          <p className="fam-said">{poursSaid(rows)}</p>
          <p className="zg-2">
            {rows.length} 次浇筑；
            {rows.length - whole.length > 0 && `${rows.length - whole.length} 次数据不足 ${leastData} %，不计入极值；`}位移限值随支撑高度
            H/300
          </p>
        </Card>
        <FigureStrip
          items={[
            { label: '浇筑次数', value: rows.length, unit: '次' },
            {
              label: '最接近设计值',
              value: measure(top?.maxAxialForcePercent, 1),
              unit: '%',
              remark: top ? `${day(top.startTime)} ${top.worstPoint ?? ''}` : undefined,
              tone: (top?.maxAxialForcePercent ?? 0) >= formworkMarks.warning ? 'danger' : undefined,
            },
            { label: '平均浇筑速度', value: speedOf(rows), unit: 'm³/h', remark: '登记方量 ÷ 时长' },
            { label: '停泵撤离', value: rows.filter((one) => one.stopSeconds !== null).length, unit: '次' },
          ]}
        />
        <div className="fam-charts">
          <ChartCard
            wide
            title="各次浇筑的最大轴力占设计值"
            definition={`每次取全部测点的最大值；虚线为 ${formworkMarks.warning} % 预警与 ${formworkMarks.stop} % 停止；点一柱看那次浇筑`}
            label={poursSaid(rows)}
            option={columnsOption({
              names: ordered.map((one) => day(one.startTime).slice(5)),
              unit: '%',
              rightUnit: 'mm',
              series: [
                {
                  name: '最大占设计值',
                  values: ordered.map((one) => (one.dataPercent < leastData ? null : one.maxAxialForcePercent)),
                  color: colors.primary,
                },
                { name: '最大沉降', values: ordered.map((one) => one.maxSettlement), line: true, right: true, color: colors.purple },
              ],
              marks: [
                { at: formworkMarks.warning, text: `${formworkMarks.warning} %`, tone: 'warning' },
                { at: formworkMarks.stop, text: `${formworkMarks.stop} %`, tone: 'danger' },
              ],
            })}
            table={{
              head: ['浇筑', '最大占设计值 %', '测点', '最大位移 mm', '最大沉降 mm', '方量 m³', '小时', '完整率 %'],
              rows: ordered.map((one) => [
                `${day(one.startTime)} ${one.pourName}`,
                one.maxAxialForcePercent,
                one.worstPoint,
                one.maxDisplacement,
                one.maxSettlement,
                one.volume,
                one.hours,
                one.dataPercent,
              ]),
            }}
            onPick={(row) => {
              const pour = ordered[row]
              if (pour) go(page.path, { record: pour.key }, { replace: true })
            }}
          />
          <PourCurves key={chosen.key} pour={chosen} />
        </div>
      </div>
    </PageShell>
  )
}

/** Mean speed of pours with a recorded volume. */
function speedOf(rows: readonly Pick<Pour, 'volume' | 'hours'>[]): string {
  const known = rows.filter((one) => one.volume !== null && one.volume > 0 && one.hours > 0)
  if (known.length === 0) return '--'
  const hours = known.reduce((sum, one) => sum + one.hours, 0)
  return (known.reduce((sum, one) => sum + (one.volume ?? 0), 0) / hours).toFixed(1)
}

/** Curves of all points of a pour: steps show the order in which the bay was filled. */
function PourCurves({ pour }: { pour: Pour }) {
  const info = useCall(formworkInfo, { params: { id: pour.deviceIds[0] ?? '' } }, { quiet: true, staleMs: 300_000 })
  const ids = pour.deviceIds.slice(0, mostPoints)
  const names = useMemo(() => {
    const count = Math.max(1, Math.ceil((pour.endTime - pour.startTime) / stepMs))
    return Array.from({ length: count }, (_, i) => pour.startTime + i * stepMs)
  }, [pour.startTime, pour.endTime])
  const curves = useCurves(ids, pour, names)
  const isRead = ids.every((id) => curves[id])
  const codeOf = (id: string) => info.data?.points.find((one) => one.deviceId === id)?.pointCode ?? id.slice(-4)
  const series = ids.filter((id) => curves[id]).map((id) => ({ id, name: codeOf(id), values: curves[id] ?? [] }))
  const peaks = series
    .map((one) => ({ ...one, peak: Math.max(...one.values.map((value) => value ?? 0)), rise: steepest(one.values) }))
    .sort((a, b) => b.peak - a.peak)
  return (
    <>
      <ChartCard
        wide
        title={`${pour.pourName} 各测点轴力占设计值`}
        definition="五分钟均值，从开始浇筑起；没有数据的时段留空"
        label={peaks.map((one) => `${one.name} 最大 ${one.peak.toFixed(0)} %`).join('，')}
        empty={isRead && series.length === 0 ? '这次浇筑的读数已过保留期' : undefined}
        option={columnsOption({
          names: names.map((at) => minuteOfDay(at)),
          unit: '%',
          series: series.map((one) => ({ name: one.name, values: one.values, line: true })),
          marks: [{ at: formworkMarks.warning, text: `${formworkMarks.warning} %`, tone: 'warning' }],
        })}
        table={{
          head: ['时间', ...series.map((one) => one.name)],
          rows: names.map((at, i) => [minuteOfDay(at), ...series.map((one) => one.values[i] ?? null)]),
        }}
      />
      <Card title="各测点" remark="峰值与最快的五分钟上升">
        <table className="fam-table">
          <thead>
            <tr>
              <th scope="col">测点</th>
              <th scope="col">峰值 %</th>
              <th scope="col">最快上升 %/5 分</th>
              <th scope="col">判断</th>
            </tr>
          </thead>
          <tbody>
            {peaks.map((one) => (
              <tr key={one.id}>
                <td>{one.name}</td>
                <td>{one.peak.toFixed(1)}</td>
                <td>{one.rise.toFixed(1)}</td>
                <td>
                  {one.peak >= formworkMarks.warning ? (
                    <Tag tone="danger">超预警</Tag>
                  ) : one.peak >= formworkMarks.warning * 0.9 ? (
                    <Tag tone="warning">接近预警</Tag>
                  ) : (
                    <Tag tone="fine">余量足</Tag>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <Card title="下次浇筑建议" remark={`依据 ${time(pour.startTime)} 这次浇筑`}>
        <p>{isRead ? adviceOf(peaks) : '读取曲线'}</p>
        {isRead && <GiveAdvice key={pour.key} pour={pour} text={adviceOf(peaks)} />}
        <p>
          <Link to={hrefOf('/highFormwork/index', {})}>去实时画面</Link>
        </p>
      </Card>
    </>
  )
}

/** Five-minute means of each point during a pour, on common timestamps. */
function useCurves(ids: readonly string[], { startTime, endTime }: Pour, moments: readonly number[]) {
  const [curves, setCurves] = useState<Readonly<Record<string, readonly (number | null)[]>>>({})
  const key = ids.join()
  useEffect(() => {
    let gone = false
    const read = async (id: string) => {
      const query = { deviceId: id, startTime: String(startTime), endTime: String(endTime), metrics: 'axialForcePercent', points: 2000 }
      const { list } = await call(formworkLine, { query })
      const values = moments.map((at) => {
        const inside = list.filter((one) => one.time >= at && one.time < at + stepMs).flatMap((one) => one.v.axialForcePercent?.[0] ?? [])
        return inside.length > 0 ? Math.round((inside.reduce((sum, one) => sum + one, 0) / inside.length) * 10) / 10 : null
      })
      if (!gone) setCurves((known) => ({ ...known, [id]: values }))
    }
    for (const id of key.split(',')) read(id).catch(showFailure)
    return () => {
      gone = true
    }
  }, [key, startTime, endTime, moments])
  return curves
}

/** Greatest rise between consecutive intervals. */
function steepest(values: readonly (number | null)[]): number {
  const rises = values.flatMap((value, i) => {
    const last = values[i - 1]
    return value === null || last === null || last === undefined ? [] : [value - last]
  })
  return Math.max(0, ...rises)
}

/** Percent in five minutes from which a point is loaded faster than others can relieve it. */
const quickRise = 6

function adviceOf(peaks: readonly { name: string; peak: number; rise: number }[]): string {
  const [first] = peaks
  if (!first) return '没有曲线，给不出建议'
  const over = peaks.filter((one) => one.peak >= formworkMarks.warning).map((one) => one.name)
  const quick = peaks.filter((one) => one.rise >= quickRise).map((one) => one.name)
  const last = peaks.at(-1) ?? first
  const uneven = first.peak - last.peak
  return (
    [
      over.length > 0 && `${over.join('、')} 附近先核对立杆间距与设计值，达标前不浇筑`,
      quick.length > 0 && `${quick.join('、')} 附近放慢布料，分层厚度减小`,
      uneven > 15 &&
        `${first.name} 与 ${last.name} 相差 ${uneven.toFixed(0)} 个百分点，布料由 ${last.name} 一侧向 ${first.name} 一侧对称推进`,
    ]
      .filter(Boolean)
      .join('；') || '各测点受力均匀、上升平缓，可按本次的顺序和速度浇筑'
  )
}
