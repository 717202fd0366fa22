import { EditOutlined, PrinterOutlined } from '@ant-design/icons'
import { dayMs } from '@zhugong/contract/kit/time'
import { pitInfo } from '@zhugong/contract/monitoring/pit/pit-live'
import { findPitDays, listPitStages, reportPitStage } from '@zhugong/contract/monitoring/pit/pits'
import { listPitPointChanges } from '@zhugong/contract/monitoring/point-changes'
import { Button, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Empty, ErrorPanel, Panel } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day as dayOf, measure, shortTime, time } from '#kit/format.ts'
import { DayInput, LongText, NumberInput, TimeInput } from '#kit/inputs.tsx'
import { usePrint } from '#kit/use-print.ts'
import { type Desk, FamilyMonitor, MonitorFrame, useEveryMs, useReadings } from '../family-monitor.tsx'
import { MonitorActions } from '../monitor-actions.tsx'
import { DayChart } from './day-chart.tsx'
import { PitCompare } from './pit-compare.tsx'
import './pit.css'
import { magnified, PitPlan } from './pit-plan.tsx'
import { PitPointPanel } from './pit-point-panel.tsx'
import { PitRail } from './pit-rail.tsx'
import { PitSection } from './pit-section.tsx'
import { asOfDay, marks, outlineOf, placedOf } from './pit-state.ts'

const { Field } = formOf(reportPitStage)

/** Period of the curves. */
const curveDays = 45
const grades: Readonly<Record<string, string>> = { 1: '一级', 2: '二级', 3: '三级' }
const noDepth = 10

/** Where and how fast does this pit move, and how far is it from its limits? */
export default function PitLivePage() {
  return (
    <FamilyMonitor
      family="foundationPit"
      module="foundation-pit"
      unit="基坑测点"
      emptyHint="登记基坑测点并设置控制值后，这里显示剖面与曲线"
    >
      {(desk) => <Pit desk={desk} />}
    </FamilyMonitor>
  )
}

function Pit({ desk }: { desk: Desk }) {
  const { projectCode, selected, site } = desk
  const often = useEveryMs(10_000)
  const [view, setView] = useState<'section' | 'plan'>('section')
  const [day, setDay] = useState<string>()
  const [before, setBefore] = useState<string>()
  const [since] = useState(() => time(Date.parse(`${dayOf(Date.now())}T00:00:00+08:00`) - (curveDays - 1) * dayMs))
  const info = useCall(pitInfo, { params: { id: selected } }, { quiet: true, keepPrevious: true, ...often })
  const { now } = useReadings(desk, info.data)
  const pitName = info.data?.pitName ?? ''
  const own = useCall(
    findPitDays,
    { query: { deviceId: selected, startTime: since, groupBy: 'day', sort: 'time', size: 1000 } },
    { quiet: true, keepPrevious: true, everyMs: 300_000 },
  )
  const then = useCall(
    findPitDays,
    {
      query: {
        projectCode,
        pitName,
        startTime: day ? `${day} 00:00:00` : '',
        endTime: day ? `${day} 23:59:59` : '',
        groupBy: 'day',
        size: 1000,
      },
    },
    { quiet: true, enabled: day !== undefined && pitName !== '' },
  )
  const stages = useCall(listPitStages, { query: { projectCode, pitName, size: 100 } }, { quiet: true, enabled: pitName !== '' })
  const points = useMemo(() => {
    const all = info.data?.points ?? []
    if (day === undefined) return all
    const rows = new Map((then.data?.list ?? []).map((one) => [`${one.deviceId}${one.pointCode}`, one]))
    return all.map((one) => asOfDay(one, rows.get(`${one.deviceId}${one.pointCode}`)))
  }, [info.data, day, then.data])
  const placed = useMemo(() => placedOf(points, site.origin), [points, site])
  const outline = outlineOf(placed)
  const chosen = placed.find((one) => one.point.deviceId === selected)
  const end = day === undefined ? Number.POSITIVE_INFINITY : Date.parse(`${day}T00:00:00+08:00`) + dayMs
  const stage = stages.data?.list.find((one) => one.at < end)
  const point = chosen?.point ?? points.find((one) => one.deviceId === selected)
  const depth = point?.depth ?? points.find((one) => one.depth !== null)?.depth ?? noDepth
  const days = (own.data?.list ?? []).filter((one) => one.pointCode === (point?.pointCode ?? one.pointCode))
  const profiles = days.filter((one) => one.profile.length > 0)
  const weekAgo = profiles.findLast((one) => one.day <= (before ?? dayOf(Math.min(end, Date.now()) - 7 * dayMs)))?.profile ?? []
  const changes = useCall(listPitPointChanges, { query: { projectCode, deviceId: selected, size: 20 } }, { quiet: true })
  const joints = (changes.data?.list ?? [])
    .filter((one) => one.pointCode === point?.pointCode)
    .map((one) => ({ day: dayOf(one.at), text: one.kind === 'replaced' ? '更换' : '损坏' }))
  const bands = [...(stages.data?.list ?? [])].reverse().map((one) => ({ day: dayOf(one.at), text: `挖至 −${measure(one.depth, 1)}` }))
  const said = [
    pitName && `${pitName}（${grades[point?.grade ?? ''] ?? '等级未填'}，设计深 ${measure(depth, 1)} m）`,
    day === undefined ? `数据至 ${shortTime(point?.time)}` : `${day} 当日末次数据`,
  ]
  const unit = point?.unit ?? ''
  const decimals = unit === 'mm' ? 1 : 0
  return (
    <MonitorFrame
      className="pit"
      said={said.filter(Boolean).join('；')}
      actions={<Actions desk={desk} pitName={pitName} day={day} before={before} stage={stage?.depth} />}
    >
      <PitRail known={info.data !== undefined} points={points} selected={selected} onSelect={desk.select} />
      <Panel
        title={view === 'section' ? '剖面' : '平面'}
        remark={view === 'section' ? '看向北，位移放大' : `水平位移放大 ${magnified} 倍`}
        actions={
          <span className="pit-views">
            <span className="mon-legend optional">{view === 'section' ? '粗线当前　蓝线对比日　虚线最早' : '◆测斜 ■墙顶 ▼水位 ●沉降'}</span>
            <Segmented
              aria-label="剖面或平面"
              size="small"
              value={view}
              options={[
                { value: 'section', label: '剖面' },
                { value: 'plan', label: '平面' },
              ]}
              onChange={(value) => setView(value === 'plan' ? 'plan' : 'section')}
            />
            <DayInput
              aria-label="看哪一天"
              placeholder="实时"
              value={day}
              onChange={(value) => setDay(value && value < dayOf(Date.now()) ? value : undefined)}
            />
            {view === 'section' && (
              <DayInput
                aria-label="与哪一天对比"
                placeholder="对比一周前"
                value={before}
                onChange={(value) => setBefore(value && value < (day ?? dayOf(Date.now())) ? value : undefined)}
              />
            )}
          </span>
        }
      >
        {info.error && !info.data ? (
          <ErrorPanel error={info.error} retry={info.refetch} />
        ) : !outline ? (
          <Empty small text={info.data ? '测点没有坐标，画不出基坑' : '正在读取测点'} hint="在设备档案中填写测点位置" />
        ) : view === 'section' ? (
          <PitSection
            placed={placed}
            outline={outline}
            depth={depth}
            dug={stage?.depth}
            selected={selected}
            weekAgo={weekAgo}
            first={profiles[0]?.profile ?? []}
            onSelect={desk.select}
          />
        ) : (
          <PitPlan site={site} placed={placed} outline={outline} selected={selected} onSelect={desk.select} />
        )}
      </Panel>
      <div className="pit-right">
        <PitPointPanel desk={desk} chosen={chosen} placed={placed} stage={stage} now={now} points={info} stages={stages} />
      </div>
      <div className="pit-low">
        <Panel
          title={`${point?.pointCode ?? ''} 累计`}
          remark={unit}
          actions={<span className="mon-legend">近 {curveDays} 天，灰为缺测</span>}
        >
          <DayChart
            known={own.data !== undefined}
            label={`${point?.pointCode ?? ''} 累计 ${unit}`}
            days={days.map((one) => ({ day: one.day, value: one.value }))}
            decimals={decimals}
            stages={bands}
            joints={joints}
            chosen={day}
            limits={
              point?.control
                ? marks.map((mark, i) => ({
                    at: ((point.control ?? 0) * mark) / 100,
                    text: `${['预警', '报警', '控制'][i]} ${measure(((point.control ?? 0) * mark) / 100, 0)}`,
                    grave: mark === 100,
                  }))
                : []
            }
          />
        </Panel>
        <Panel title={`${point?.pointCode ?? ''} 速率`} remark={`${unit}/d`} actions={<span className="mon-legend">与前一日比较</span>}>
          <DayChart
            known={own.data !== undefined}
            bars
            label={`${point?.pointCode ?? ''} 速率 ${unit} 每天`}
            days={days.map((one) => ({ day: one.day, value: one.ratePerDay }))}
            decimals={decimals + 1}
            stages={bands}
            chosen={day}
            limits={
              point?.controlRate
                ? [
                    { at: point.controlRate * 0.7, text: `预警 ${measure(point.controlRate * 0.7, 1)}`, grave: false },
                    { at: point.controlRate, text: `控制 ${measure(point.controlRate, 1)}`, grave: true },
                  ]
                : []
            }
          />
        </Panel>
      </div>
    </MonitorFrame>
  )
}

interface ActionsProps {
  desk: Desk
  pitName: string
  day: string | undefined
  before: string | undefined
  stage: number | undefined
}

function Actions({ desk, pitName, day, before, stage }: ActionsProps) {
  const [comparing, setComparing] = useState(false)
  const [reporting, setReporting] = useState(false)
  const mayReport = useCan(reportPitStage)
  const mayPrint = [useCan('foundation-pit.report'), useCan('export.run')].every(Boolean)
  const print = usePrint('pitDaily')
  const act = useAct(reportPitStage, { success: '已上报工况' })
  return (
    <>
      <MonitorActions desk={{ ...desk, replay: undefined }} service={{ label: '测点检修', kind: 'sensorChange' }} past={false}>
        <Button disabled={pitName === ''} onClick={() => setComparing(true)}>
          两日对比
        </Button>
        {mayReport && (
          <Button icon={<EditOutlined />} onClick={() => setReporting(true)}>
            报工况
          </Button>
        )}
        {mayPrint && (
          <Button
            icon={<PrinterOutlined />}
            disabled={pitName === ''}
            loading={print.running}
            onClick={() =>
              void print.run({
                body: {
                  feature: 'pitDaily',
                  exportType: 'pdf',
                  query: { projectCode: desk.projectCode, pitName, day: day ?? dayOf(Date.now()) },
                  columns: [],
                },
              })
            }
          >
            监测日报
          </Button>
        )}
      </MonitorActions>
      {comparing && (
        <PitCompare projectCode={desk.projectCode} pitName={pitName} day={day} before={before} onClose={() => setComparing(false)} />
      )}
      <FormDrawer
        open={reporting}
        narrow
        width={420}
        title="报施工工况"
        remark={pitName}
        act={act}
        initial={{ depth: stage }}
        input={(body) => ({ query: { projectCode: desk.projectCode }, body: { ...body, pitName } })}
        onClose={() => setReporting(false)}
      >
        <Field name="depth" label="现挖深度（m）">
          <NumberInput />
        </Field>
        <Field name="at" label="时间" help="不填为现在">
          <TimeInput />
        </Field>
        <Field name="note" label="说明" help="支撑安装、降水、堆载等">
          <LongText maxLength={200} />
        </Field>
      </FormDrawer>
    </>
  )
}
