import { listDevices } from '@zhugong/contract/equipment/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { coverNames, directionNames, vehicleTypeNames, washNames } from '@zhugong/contract/monitoring/gateway/passage-codes'
import { listPassages, passageList } from '@zhugong/contract/monitoring/gateway/passages'
import { addRegistered, type RegistryKind } from '@zhugong/contract/monitoring/gateway/vehicle-registry'
import { markPassages } from '@zhugong/contract/monitoring/record-fixes'
import { sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button, Segmented } from 'antd'
import { useRef, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan, useCanAll } from '#kit/can.tsx'
import { Chart } from '#kit/chart.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, Tag } from '#kit/feedback.tsx'
import { shortTime, span, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { columnsOption } from '../analysis-charts.ts'
import { FamilyRecord } from '../family-record.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import './gateway.css'
import { GateShares } from './gate-shares.tsx'
import { LaneScene } from './lane-scene.tsx'
import { PassageKeyBar } from './passage-key-bar.tsx'
import { MarkChosen } from './passage-marks.tsx'
import { CoverTag, DirectionWord, Plate, WashTag } from './passage-words.tsx'
import { NewRegistered } from './registry-form.tsx'
import { RegistryTable } from './registry-table.tsx'

type Passage = OutputFor<typeof listPassages>['list'][number]
type Today = OutputFor<typeof listPassages>['today']
const everyMs = 15_000
/** A longer stay is highlighted. */
const longMinutes = 24 * 60
const unsure = 0.8
const tabs = { all: '通行', inside: '在场', doubtful: '待核', gates: '按大门', known: '登记车辆', black: '黑名单' } as const
type Tab = keyof typeof tabs
const isTab = (text: string | null): text is Tab => text !== null && Object.hasOwn(tabs, text)

const optionsOf = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value, label }))
const percent = (n: number | null | undefined) => (n === null || n === undefined ? '--' : n.toFixed(1))

/** Which vehicles passed, were they washed and covered, and which are still inside? */
export default function PassageListPage() {
  const scope = useFamilyScope({ family: 'truckAccess', usual: '1' })
  const go = useGo()
  const { active } = usePage()
  const mayMark = useCan(markPassages)
  const mayDo = useCanAll()
  const requested = usePageQuery().get('by')
  const tab: Tab = isTab(requested) ? requested : 'all'
  const list = useListPage(passageList, {
    scope: { ...scope.query, tab: tab === 'inside' || tab === 'doubtful' ? tab : 'all' },
    own: scope.own,
    defaultSort: '-time',
    everyMs: active ? everyMs : undefined,
  })
  const newest = useCall(
    listPassages,
    { query: { projectCode: scope.projectCode, deviceId: scope.deviceId, size: 1, sort: '-time' } },
    { quiet: true, keepPrevious: true, everyMs: active ? everyMs : undefined },
  )
  const today = newest.data?.today
  const box = useRef<HTMLDivElement>(null)
  const [put, setPut] = useState<{ row: Passage; kind: RegistryKind }>()
  const columns: ColumnOf<typeof passageList>[] = [
    // The review of doubtful passages needs their pictures.
    {
      key: 'photo',
      width: 76,
      weak: true,
      locked: tab === 'doubtful',
      value: (r) => <Thumb src={r.photo} name={`${r.plateNo} 车头照`} width={56} height={36} />,
    },
    ...(scope.projectCode === '*' ? [{ key: 'projectName' as const, width: 160, value: (r: Passage) => r.projectName }] : []),
    { key: 'plateNo', width: 116, locked: true, filter: 'text', value: (r) => <Plate plateNo={r.plateNo} color={r.plateColor} /> },
    {
      key: 'vehicleType',
      width: 92,
      filter: 'multi',
      options: optionsOf(vehicleTypeNames),
      value: (r) => (r.vehicleType === null ? null : (vehicleTypeNames[r.vehicleType] ?? r.vehicleType)),
    },
    {
      key: 'direction',
      width: 84,
      filter: 'single',
      options: optionsOf(directionNames),
      value: (r) => <DirectionWord direction={r.direction} />,
    },
    { key: 'gateName', width: 96, weak: true, value: (r) => r.gateName },
    { key: 'time', width: 132, locked: true, sort: true, value: (r) => <span title={time(r.time)}>{time(r.time).slice(5)}</span> },
    { key: 'washState', width: 96, locked: true, filter: 'multi', options: optionsOf(washNames), value: (r) => <WashTag passed={r} /> },
    { key: 'washSeconds', width: 116, align: 'right', filter: 'numeric-range', value: (r) => r.washSeconds },
    { key: 'coverState', width: 96, locked: true, filter: 'multi', options: optionsOf(coverNames), value: (r) => <CoverTag passed={r} /> },
    {
      key: 'registered',
      width: 92,
      weak: true,
      filter: 'single',
      options: [
        { value: '1', label: '已登记' },
        { value: '0', label: '未登记' },
      ],
      value: (r) =>
        r.barred ? <Tag tone="danger">黑名单</Tag> : r.registered === null ? null : r.registered ? '是' : <Tag tone="warning">未登记</Tag>,
    },
    { key: 'transportCorp', width: 160, hidden: true, filter: 'text', value: (r) => r.transportCorp },
    { key: 'permitNo', width: 132, hidden: true, filter: 'text', value: (r) => r.permitNo },
    {
      key: 'stayMinutes',
      width: 108,
      align: 'right',
      value: (r) =>
        r.stayMinutes === null ? null : (
          <span
            className={r.inside && r.stayMinutes > longMinutes ? 'tone-danger' : ''}
            title={r.paired === 'hand' ? '人工配对' : undefined}
          >
            {span(r.stayMinutes * 60_000)}
            {r.inside && '，在场'}
          </span>
        ),
    },
    {
      key: 'alarms',
      width: 140,
      value: (r) =>
        r.alarms.map((one) => (
          <Tag key={one} tone="danger">
            {one}
          </Tag>
        )),
    },
    {
      key: 'confidence',
      width: 84,
      align: 'right',
      hidden: tab !== 'doubtful',
      value: (r) =>
        r.confidence === null ? null : <span className={r.confidence < unsure ? 'tone-warning' : ''}>{r.confidence.toFixed(2)}</span>,
    },
    { key: 'corrected', width: 80, value: (r) => (r.corrected ? <Tag tone="warning">{r.unreadable ? '难辨认' : '已更正'}</Tag> : null) },
  ]
  return (
    <FamilyRecord
      scope={scope}
      unit="车行道"
      periods={['1', '7', '30']}
      loading={!newest.data}
      figures={[
        { label: '今日进 / 出', value: today ? `${today.in} / ${today.out}` : undefined, unit: '辆次' },
        { label: '在场车辆', value: today?.inside, unit: '辆', remark: '24 小时内进场未见出场' },
        { label: '冲洗率', value: percent(today?.washPercent), unit: '%', remark: unknownWords(today) },
        { label: '密闭率', value: percent(today?.coverPercent), unit: '%', remark: '今日渣土车出场' },
      ]}
      titleActions={
        <Segmented
          aria-label="视图"
          value={tab}
          options={Object.entries(tabs).map(([value, label]) => ({
            value,
            label: value === 'inside' && today ? `${label} ${today.inside}` : label,
          }))}
          onChange={(value) => scope.put({ by: value === 'all' ? undefined : String(value) })}
        />
      }
      detail={<Lanes projectCode={scope.projectCode} deviceId={scope.deviceId} newest={newest.data?.list[0]} today={today} />}
    >
      {tab === 'gates' ? (
        <GateShares scope={scope} />
      ) : tab === 'known' || tab === 'black' ? (
        <RegistryTable key={tab} kind={tab} scope={scope} />
      ) : (
        <div className="gate-list" ref={box}>
          <DataTable
            key={tab === 'doubtful' ? tab : 'passed'}
            list={list}
            toolbar={tab === 'doubtful' && mayMark && <PassageKeyBar box={box} rows={list.rows} />}
            columns={columns}
            unit="辆次"
            selection={
              tab === 'doubtful' && mayMark
                ? {
                    unit: '辆次',
                    disabled: (row) => !mayDo(markPassages, row),
                    actions: (rows, clear) => <MarkChosen rows={rows} projectCode={scope.projectCode} clear={clear} />,
                  }
                : undefined
            }
            onRow={(row) => go('/vehicleAccessRecord/details', { id: row.id })}
            emptyHint={
              tab === 'inside' ? '没有未离场的车辆' : tab === 'doubtful' ? '车牌都认得清' : '这段时间没有车辆通过，或车行道没有上报'
            }
            actions={(row) => [
              { label: '详情', href: hrefOf('/vehicleAccessRecord/details', { id: row.id }) },
              { label: '磅单', href: hrefOf('/loadometer/record', { plateNo: row.plateNo, period: '7' }), needs: 'weighbridge.view' },
              isPlate(row.plateNo) &&
                !row.registered &&
                !row.barred && { label: '登记', needs: addRegistered, onClick: () => setPut({ row, kind: 'known' }) },
              isPlate(row.plateNo) &&
                !row.barred && {
                  label: '列入黑名单',
                  needs: addRegistered,
                  danger: true,
                  onClick: () => setPut({ row, kind: 'black' }),
                },
            ]}
          />
        </div>
      )}
      {put && <NewRegistered projectCode={put.row.projectCode} kind={put.kind} from={put.row} onClose={() => setPut(undefined)} />}
    </FamilyRecord>
  )
}

/** An unreadable or masked plate cannot be registered. */
const isPlate = (plateNo: string): boolean => /^[\u4e00-\u9fa5][A-Z][A-Z0-9]{5,6}$/.test(plateNo)

/** Passages not recognised are not counted as clean. */
const unknownWords = (today: Today | undefined): string =>
  today?.unknownPercent ? `今日渣土车出场，另 ${today.unknownPercent.toFixed(1)} % 未识别` : '今日渣土车出场'

const shownLanes = 3

/** Current state of the lanes, and the day by hour. */
function Lanes({
  projectCode,
  deviceId,
  newest,
  today,
}: {
  projectCode: string
  deviceId: string | undefined
  newest: Passage | undefined
  today: Today | undefined
}) {
  const { active } = usePage()
  const lanes = useCall(
    listDevices,
    { query: { projectCode, family: 'truckAccess', with: 'latest', size: 50 } },
    { quiet: true, keepPrevious: true, everyMs: active ? everyMs : undefined },
  )
  const mayOpen = useCan('vehicle-access.gate')
  const act = useAct(sendCommand, { success: ({ message }) => message || '道闸已应答' })
  const rows = (lanes.data?.list ?? []).filter((row) => deviceId === undefined || row.id === deviceId).slice(0, shownLanes)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keys
    <section className="gate-stage" aria-label="车行道" tabIndex={0}>
      {rows.map((row) => {
        const last = newest?.deviceId === row.id ? newest : undefined
        return (
          <Card
            key={row.id}
            title={row.name}
            remark={projectCode === '*' ? row.projectName : undefined}
            actions={
              mayOpen && (
                <Button
                  size="small"
                  disabled={!row.online}
                  loading={act.running}
                  onClick={() =>
                    void act.afterRequesting(
                      {
                        thing: `抬起 ${row.name} 的道闸`,
                        consequence: '车辆可直接通过，不等冲洗与过磅结果。操作计入日志。',
                        verb: '抬杆',
                        keep: '不抬',
                      },
                      { params: { id: row.id }, body: { cmd: 'gate.open', expireSeconds: 15 } },
                    )
                  }
                >
                  抬杆
                </Button>
              )
            }
          >
            <LaneScene
              gate={row.installPlace ?? row.name}
              isUp={row.latest?.values.barrierUp === true}
              isAway={!row.online}
              plateNo={last?.plateNo}
              words={last ? `${shortTime(last.time)} ${directionNames[last.direction] ?? ''}` : '最近通过见列表'}
            />
          </Card>
        )
      })}
      <Card title="今日每小时" remark="进、出辆次">
        {today ? (
          <Chart
            height={180}
            label={`今日每小时进出，共进 ${today.in} 出 ${today.out}`}
            option={columnsOption({
              names: today.byHour.map((one) => String(one.hour)),
              unit: '辆次',
              series: [
                { name: '进场', values: today.byHour.map((one) => one.in) },
                { name: '出场', values: today.byHour.map((one) => one.out) },
              ],
            })}
          />
        ) : (
          <Empty small text="读取中" />
        )}
      </Card>
    </section>
  )
}
