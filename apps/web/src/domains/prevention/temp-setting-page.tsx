import { getTempSetting, saveTempSetting, type TempSetting, tempSetting } from '@zhugong/contract/prevention/endpoints'
import { Button, Input, Switch } from 'antd'
import { useMemo, useState } from 'react'
import { refresh, useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Pairs } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { DayInput, NumberKnob } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { usePage } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { differencesOf, SettingsPage } from '#kit/settings-shell.tsx'
import { channelWords, tellItems } from '#kit/tell-fields.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import './prevention.css'

const labels = {
  measuring: '测温',
  mode: '防疫模式',
  modeReason: '开启原因',
  modeUntil: '结束日期',
  threshold: '预警体温',
  high: '高热体温',
  retentionDays: '保存天数',
  tellRoles: '接收角色',
  tellChannels: '通知方式',
  gateOffsets: '闸机偏差',
}
const wordsOf = (value: unknown, key: keyof TempSetting): string => {
  if (typeof value === 'boolean') return value ? '开' : '关'
  if (key === 'tellRoles') return (value as TempSetting['tellRoles']).join('、') || '无'
  if (key === 'tellChannels') return channelWords(value as TempSetting['tellChannels']) || '无'
  if (key === 'gateOffsets') return (value as TempSetting['gateOffsets']).map((g) => `${g.terminalCode} ${g.offset}`).join('，') || '无'
  return value === null || value === '' ? '--' : String(value)
}

/** Temperature limits, and whether measuring is enabled. */
export default function TempSettingPage() {
  const projectCode = useProjectCode()
  if (projectCode === '*') return <ProjectPicker why="体温预警按项目设置" />
  return <Settings projectCode={projectCode} />
}

function Settings({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const may = useCan(saveTempSetting)
  const { data, error, refetch } = useCall(getTempSetting, { query: { projectCode } }, { quiet: true })
  const [drafted, setDrafted] = useState<TempSetting>()
  const act = useAct(saveTempSetting, {
    success: '已保存，一分钟内按新的设置判断',
    onDone: () => {
      setDrafted(undefined)
      refresh()
    },
  })
  const current = data?.setting
  const values = drafted ?? current
  const differences = current && values ? differencesOf(current, values, labels, wordsOf) : []
  useUnsaved(differences.length > 0, page.cacheKey, page.entry.title)
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data || !current || !values) return <DetailSkeleton />
  const change = (part: Partial<TempSetting>) => setDrafted({ ...values, ...part })
  const checked = tempSetting.safeParse(values)
  const fault = checked.success ? Object.values(act.fieldErrors).join('；') || undefined : checked.error.issues[0]?.message
  const offsetOf = (code: string) => values.gateOffsets.find((g) => g.terminalCode === code)?.offset ?? 0
  const setOffset = (terminalCode: string, offset: number) =>
    change({
      gateOffsets: [...values.gateOffsets.filter((g) => g.terminalCode !== terminalCode), ...(offset ? [{ terminalCode, offset }] : [])],
    })
  const would = data.reached.find((r) => r.value >= values.threshold - 0.001)?.people ?? 0
  return (
    <SettingsPage
      remark="预警在体温预警记录处理，发热随时告知"
      last={{ by: data.updateName, at: data.updateTime }}
      lock={may ? undefined : '没有设置体温预警的权限，此处只供查看'}
      differences={differences}
      fault={fault}
      saving={act.running}
      onSave={() => act.run({ body: { projectCode, setting: values, version: data.version } })}
      onUndo={() => setDrafted(undefined)}
      actions={<Button onClick={() => change(tempSetting.parse({}))}>恢复默认</Button>}
    >
      <div className="pv-detail">
        <Card title="测温与判断">
          <Pairs
            items={[
              {
                label: '测温',
                value: <Switch aria-label="测温" checked={values.measuring} onChange={(measuring) => change({ measuring })} />,
              },
              {
                label: '预警体温',
                value: (
                  <NumberKnob
                    label="预警体温"
                    unit="°C"
                    range={[36.5, 40]}
                    digits={1}
                    value={values.threshold}
                    fallback={current.threshold}
                    onChange={(n) => change({ threshold: n })}
                  />
                ),
              },
              {
                label: '高热体温',
                value: (
                  <NumberKnob
                    label="高热体温"
                    unit="°C"
                    range={[37.5, 42]}
                    digits={1}
                    value={values.high}
                    fallback={current.high}
                    onChange={(n) => change({ high: n })}
                  />
                ),
              },
              ...tellItems(values, change),
              {
                label: '保存天数',
                value: (
                  <NumberKnob
                    label="保存天数"
                    unit="天"
                    range={[30, 365]}
                    value={values.retentionDays}
                    fallback={current.retentionDays}
                    onChange={(n) => change({ retentionDays: n })}
                  />
                ),
              },
            ]}
          />
          <p className="zg-2">到保存期限后删除数值，只留次数。</p>
        </Card>
        <Reached reached={data.reached} threshold={values.threshold} would={would} />
        <Card title="防疫模式" remark="开启后人人测温与申报，过了结束日期自动关闭">
          <Pairs
            items={[
              { label: '防疫模式', value: <Switch aria-label="防疫模式" checked={values.mode} onChange={(mode) => change({ mode })} /> },
              {
                label: '开启原因',
                value: (
                  <Input
                    aria-label="开启原因"
                    maxLength={200}
                    disabled={!values.mode}
                    value={values.modeReason}
                    onChange={(event) => change({ modeReason: event.target.value })}
                  />
                ),
              },
              {
                label: '结束日期',
                value: (
                  <DayInput
                    aria-label="结束日期"
                    disabled={!values.mode}
                    value={values.modeUntil}
                    onChange={(modeUntil) => change({ modeUntil: modeUntil ?? null })}
                  />
                ),
              },
            ]}
          />
        </Card>
        <Card title="闸机偏差" remark="闸机比实际高 0.4 就填 -0.4" flush>
          {data.gates.length === 0 ? (
            <Empty small text="近 7 天没有闸机测温" />
          ) : (
            <ul className="pv-gates">
              {data.gates.map((g) => (
                <li key={g.terminalCode}>
                  <span>{g.channel ?? g.terminalCode}</span>
                  <span className="zg-2">{thousands(g.count)} 次</span>
                  <span className={g.bias !== null && Math.abs(g.bias) >= 0.4 ? 'tone-danger' : 'zg-2'}>
                    {g.bias === null ? '--' : `${g.bias > 0 ? '+' : ''}${g.bias.toFixed(1)}`}
                  </span>
                  <NumberKnob
                    label={`${g.channel ?? g.terminalCode} 偏差`}
                    unit="°C"
                    range={[-2, 2]}
                    digits={1}
                    value={offsetOf(g.terminalCode)}
                    fallback={0}
                    onChange={(n) => setOffset(g.terminalCode, n)}
                  />
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
    </SettingsPage>
  )
}

/** Number of alarms that a limit would have caused in the last week. */
function Reached({
  reached,
  threshold,
  would,
}: {
  reached: readonly { value: number; people: number }[]
  threshold: number
  would: number
}) {
  const option = useMemo<ChartOption>(
    () => ({
      grid: { left: 8, right: 16, top: 20, bottom: 8, containLabel: true },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'category', data: reached.map((r) => r.value.toFixed(1)) },
      yAxis: { type: 'value', minInterval: 1 },
      series: [
        {
          type: 'line',
          name: '人次',
          step: 'end',
          areaStyle: { opacity: 0.1 },
          showSymbol: false,
          data: reached.map((r) => r.people),
          markLine: { symbol: 'none', data: [{ xAxis: threshold.toFixed(1) }] },
        },
      ],
    }),
    [reached, threshold],
  )
  return (
    <Card title="近 7 天" remark={`按 ${threshold.toFixed(1)} °C 会触发 ${would} 人次`}>
      <Chart height={220} label={`各体温以上的人次，预警线 ${threshold.toFixed(1)}`} option={option} />
    </Card>
  )
}
