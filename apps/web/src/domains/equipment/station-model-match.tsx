import { verifyDevice } from '@zhugong/contract/equipment/device-tools'
import { updateGateway } from '@zhugong/contract/equipment/gateway-endpoints'
import { listFrames } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button, InputNumber, Select } from 'antd'
import { useMemo, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { Card, Empty, Notice, Tag } from '#kit/feedback.tsx'
import { thousands, time } from '#kit/format.ts'
import { ModelChoice } from './library-parts.tsx'
import { useStation } from './use-station.ts'
import './equipment.css'

/** Maps station codes to metrics. A change applies to future readings only. */
export default function StationModelMatch() {
  const { id, data: one } = useStation()
  const may = useCan(updateGateway)
  const [draft, setDraft] = useState<Record<string, { metric: string; factor: number }>>()
  const [modelId, setModelId] = useState<string | null>()
  const save = useAct(updateGateway, {
    success: '已保存，从现在起生效',
    onDone: () => {
      setDraft(undefined)
      setModelId(undefined)
    },
  })
  const trial = useAct(verifyDevice, { success: false })
  const [tried, setTried] = useState<{ ok: boolean; error: string | null; values: Record<string, unknown> | null }>()
  const frames = useCall(listFrames, { query: { deviceId: id, direction: 'up', size: 20 } }, { enabled: id !== '' && may, quiet: true })
  const match = one?.match
  const own = useMemo(
    () =>
      Object.fromEntries(
        (match?.codes ?? []).flatMap((c) => (c.by === 'own' && c.metric ? [[c.code, { metric: c.metric, factor: c.factor }]] : [])),
      ),
    [match],
  )
  if (!one || !match) return null
  const now = draft ?? own
  const set = (code: string, change: Partial<{ metric: string; factor: number }> | null) => {
    const { [code]: before, ...rest } = now
    setDraft(change === null ? rest : { ...rest, [code]: { metric: before?.metric ?? '', factor: before?.factor ?? 1, ...change } })
  }
  const options = match.metrics.map((m) => ({ value: m.key, label: `${m.label} ${m.unit}（${m.min ?? '--'}～${m.max ?? '--'}）` }))
  const taken = new Map<string, string[]>()
  for (const [code, { metric }] of Object.entries(now)) if (metric) taken.set(metric, [...(taken.get(metric) ?? []), code])
  const clash = [...taken].find(([, codes]) => codes.length > 1)
  const incomplete = Object.values(now).some((one) => !one.metric)
  const submit = () => save.run({ params: { id }, body: { version: one.version, modelMatch: { codes: now, modelId } } })
  const tryOn = async () => {
    const frame = frames.data?.list.find((row) => row.text)?.text
    if (!frame) return
    const done = await trial.run({ body: { id, frame } })
    if (done) setTried(done.data.decoded as typeof tried)
  }
  const standard = () => {
    // Standard codes need no mapping: remove custom ones that map to the same metric.
    const theirs = new Set(match.codes.filter((c) => c.by === 'standard').map((c) => c.metric))
    setDraft(Object.fromEntries(Object.entries(now).filter(([, { metric }]) => !theirs.has(metric))))
  }
  return (
    <>
      <Card title="型号" remark={one.station?.modelName ?? '未匹配'}>
        <div className="zg-row eq-match">
          <ModelChoice
            aria-label="型号"
            family="environment"
            known={one.station?.modelId ? { id: one.station.modelId, name: one.station.modelName ?? '已停用的型号' } : undefined}
            disabled={!may}
            value={modelId === undefined ? (one.station?.modelId ?? null) : modelId}
            onChange={(next) => setModelId(next ?? null)}
          />
        </div>
      </Card>
      <Card
        title="编码与指标"
        remark={match.since ? `自定义匹配自 ${match.since} 起生效` : '全部按标准编码'}
        flush
        actions={
          <Can call={updateGateway}>
            <Button size="small" onClick={standard}>
              全部按标准
            </Button>
            <Button size="small" disabled={!frames.data?.list.some((row) => row.text)} loading={trial.running} onClick={() => void tryOn()}>
              按现行匹配试算
            </Button>
            <Button
              size="small"
              type="primary"
              disabled={Boolean(clash) || incomplete || (draft === undefined && modelId === undefined)}
              loading={save.running}
              onClick={() => void submit()}
            >
              保存
            </Button>
          </Can>
        }
      >
        {clash && (
          <Notice tone="danger">
            {clash[1].join('、')} 对应同一个指标 {match.metrics.find((m) => m.key === clash[0])?.label}，每个指标只能有一个编码
          </Notice>
        )}
        <table className="eq-table">
          <thead>
            <tr>
              <th>编码</th>
              <th>最近值</th>
              <th>24 小时条数</th>
              <th>平台指标</th>
              <th>系数</th>
              <th>换算</th>
              <th>依据</th>
            </tr>
          </thead>
          <tbody>
            {match.codes.map((row) => {
              const mine = now[row.code]
              const factor = mine?.factor ?? row.factor
              const raw = Number(row.lastValue)
              return (
                <tr key={row.code}>
                  <td>
                    <b>{row.code}</b>
                  </td>
                  <td title={row.lastTime ? time(row.lastTime) : ''}>{row.lastValue ?? '--'}</td>
                  <td>{thousands(row.count)}</td>
                  <td>
                    {row.by === 'standard' ? (
                      (match.metrics.find((m) => m.key === row.metric)?.label ?? row.metric)
                    ) : (
                      <Select
                        aria-label={`${row.code} 对应的指标`}
                        className="zg-w-240"
                        allowClear
                        disabled={!may}
                        placeholder="不匹配，按原样保留"
                        value={mine?.metric || null}
                        options={options}
                        onChange={(metric: string | null) => set(row.code, metric ? { metric } : null)}
                      />
                    )}
                  </td>
                  <td>
                    {row.by !== 'standard' && mine && (
                      <InputNumber
                        aria-label={`${row.code} 系数`}
                        controls={false}
                        disabled={!may}
                        value={mine.factor}
                        onChange={(next) => set(row.code, { factor: next ?? 1 })}
                      />
                    )}
                  </td>
                  <td className="zg-2">
                    {row.by !== 'standard' && mine?.metric && row.lastValue !== null && Number.isFinite(raw)
                      ? `${row.lastValue} → ${Number((raw * factor).toFixed(3))}`
                      : '--'}
                  </td>
                  <td>
                    {mine ? (
                      <Tag tone="running">自定义</Tag>
                    ) : row.by === 'standard' ? (
                      <Tag tone="fine">标准</Tag>
                    ) : (
                      <Tag tone="warning">未知编码</Tag>
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
        {match.codes.length === 0 && <Empty small text="24 小时内没有数据" hint="监测站上报后，这里列出它用的编码" />}
      </Card>
      {tried && (
        <Card title="试算结果" remark="最近一帧，按已保存的匹配">
          {tried.ok ? <pre className="eq-pre">{JSON.stringify(tried.values, null, 2)}</pre> : <Notice tone="danger">{tried.error}</Notice>}
        </Card>
      )}
      <p className="zg-2">没有匹配的编码照常保存在附加数据里，不会丢失；保存只影响之后的数据。</p>
    </>
  )
}
